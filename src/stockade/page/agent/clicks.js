// What reacts to a click although no role says so.
const Clicks = (() => {
  const words = (string) => new Set(string.split(' '));
  const ROOTS = words('html body');
  const ITEM_LISTS = words('ul ol');
  const LONGEST_LEAF = 200;
  const MOST_INSIDE = 12;
  const ACTABLE = 'a[href],button,input,select,textarea,summary,iframe,[onclick],'
    + '[role]:not([role=img],[role=presentation],[role=none]),'
    + '[tabindex]:not([tabindex^="-"])';

  const hasAttributes = Dom.method(Element.prototype, 'hasAttributes');

  // Listeners belong to the page's own world; Python asks the browser and tells us here.
  const listening = new WeakSet();
  const leading = new WeakSet();
  let heard = false;
  let heardAt = -Infinity;
  let heardGrowth = 0;
  const hear = (elements) => {
    for (const el of elements) {
      if (!Dom.isElement(el) || Dom.document(el) !== document) continue;
      heard = true;
      listening.add(el);
      for (let up = Dom.parent(el); up && !leading.has(up); up = Dom.parent(up)) leading.add(up);
    }
  };
  // Whether there may be listeners that nobody told of: elements came, or it is a while ago.
  const STALE = 2000;
  const unheard = (args, patient) => {
    const growth = Observe.grown();
    const now = performance.now();
    const due = args.heard === false && (growth !== heardGrowth || (!patient && now - heardAt > STALE));
    if (due || args.heard) {
      heardGrowth = growth;
      heardAt = now;
    }
    return due;
  };

  const isHand = (el) => Dom.style(el).cursor.endsWith('pointer');
  const underHand = (el) => {
    const above = Dom.parent(el);
    return Boolean(above) && isHand(above);
  };
  const styledAlone = (el) => Dom.matches(el, '[style*=cursor]');
  // Whether the pointer is a hand over the element by a rule that means the element itself, now or
  // once the pointer is there.
  const hand = (el, tag, marked) => {
    const rules = !Dom.inShadow(el) && Sheets.asker('pointed');
    if (!rules) return isHand(el) && !underHand(el);
    // What no rule means has its pointer from what it is in.
    if ((marked || rules.tags.has(tag)) && (rules.test(el) || (rules.broad && !underHand(el)) || styledAlone(el)) && isHand(el)) return true;
    const passing = Sheets.asker('passing');
    return passing && passing.some && (marked || passing.tags.has(tag)) && passing.test(el);
  };

  // Not a container of other things that can be acted on, nor of much text.
  const firstMatch = Dom.method(Element.prototype, 'querySelector');
  const leaf = (el) => {
    if (Dom.shadow(el) || firstMatch(el, ACTABLE)) return false;
    const pending = [el];
    let inside = 0;
    let length = 0;
    while (pending.length) {
      const holder = pending.pop();
      if (Dom.isSlot(holder) && Dom.assigned(holder).length) return false;
      for (let node = Dom.firstChild(holder); node; node = Dom.nextSibling(node)) {
        if (Dom.isText(node)) length += Dom.text(node).length;
        else if (Dom.isElement(node)) {
          inside += 1;
          pending.push(node);
        }
        if (inside > MOST_INSIDE || length > LONGEST_LEAF) return false;
      }
    }
    return true;
  };
  // One listener on a list serves all its items.
  const delegated = (el) => {
    if (Dom.tag(el) !== 'li') return false;
    const list = Dom.parent(el);
    return Boolean(list) && ITEM_LISTS.has(Dom.tag(list)) && listening.has(list) && leaf(el);
  };
  // One listener may serve the like things in its container. It does not say which they are, so each
  // needs a sign of its own: that it changes under the pointer, cannot be selected as text, takes the
  // focus, or carries data that differ from its neighbour's.
  const FARTHEST = 4;
  const ITEMS = words('li tr');
  const SERVED = { __proto__: null, tr: words('tbody'), th: words('thead') };
  const previousElement = Dom.getter(Element.prototype, 'previousElementSibling');
  const nextElement = Dom.getter(Element.prototype, 'nextElementSibling');
  const attributeNames = Dom.method(Element.prototype, 'getAttributeNames');
  const firstClass = (el) => (Dom.attr(el, 'class') || '').trim().split(/\s/, 1)[0];
  const neighbourAlike = (el, tag) => [nextElement(el), previousElement(el)].find(
    (other) => other && Dom.tag(other) === tag && firstClass(other) === firstClass(el),
  );
  const near = (el, holder) => {
    let up = el;
    for (let steps = 0; up && up !== holder && steps <= FARTHEST; steps += 1) up = Dom.parent(up);
    return up === holder;
  };
  const dataDiffer = (el, other) => attributeNames(el).some((name) => {
    const theirs = name.startsWith('data-') && Dom.attr(other, name);
    return Boolean(theirs) && Dom.attr(el, name) !== '' && Dom.attr(el, name) !== theirs;
  });
  const WORD = /[\p{L}\p{N}]/u;
  const unselectable = (el) => Dom.style(el).userSelect === 'none';
  const changesUnderPointer = (el) => {
    const rules = !Dom.inShadow(el) && Sheets.asker('hovered');
    return Boolean(rules) && rules.test(el);
  };
  const served = (el, tag, holder) => {
    if (skipped(tag) || !near(el, holder)) return false;
    const other = neighbourAlike(el, tag);
    if (!(other || ITEMS.has(tag)) || !leaf(el)) return false;
    if (Aria.muted(el) && !WORD.test(Dom.textContent(el))) return false;
    if (SERVED[tag] && SERVED[tag].has(Dom.tag(holder))) return true;
    return (other && dataDiffer(el, other)) || Dom.has(el, 'tabindex') || changesUnderPointer(el)
      || (unselectable(el) && WORD.test(Dom.textContent(el)) && !unselectable(Dom.parent(el)));
  };
  const listens = (el) => heard && listening.has(el);

  const serves = (el) => Array.prototype.some.call(Dom.query(el, '*'), (each) => served(each, Dom.tag(each), el));
  const heedsItself = (el) => !ITEM_LISTS.has(Dom.tag(el)) && (leaf(el) ? !serves(el) : isHand(el));
  const heeds = (el) => heard && (listening.has(el) ? heedsItself(el) : delegated(el));

  const skipped = (tag) => ROOTS.has(tag) || tag === 'label';
  // Whether the element itself handles clicks.
  const handles = (el, tag) => !skipped(tag) && ((hasAttributes(el) && Dom.has(el, 'onclick')) || heeds(el));
  // 'handler': the element itself handles clicks; 'hand': the pointer says so; 'focus': it takes the
  // focus. '' where nothing tells.
  const why = (el, tag) => {
    if (skipped(tag)) return '';
    if (heeds(el)) return 'handler';
    const marked = hasAttributes(el);
    const hints = Sheets.clickHints();
    if (hints && !(marked || hints.tags.has(tag))) return '';
    if (hints && !hints.test(el) && !Dom.inShadow(el)) return '';
    if (marked && Dom.has(el, 'onclick')) return 'handler';
    if (hand(el, tag, marked)) return 'hand';
    if (!marked) return '';
    const tabindex = Dom.attr(el, 'tabindex');
    return tabindex !== null && Number.parseInt(tabindex, 10) >= 0 && leaf(el) ? 'focus' : '';
  };

  // Whether nobody sees an element that has no words, or it is there to change a size alone.
  const PICTURES = 'svg,img,canvas,video,i';
  const THIN = 12;
  const unseen = (el) => {
    if (firstMatch(el, PICTURES)) return false;
    const { width, height } = Dom.rect(el);
    if (width < 1 || height < 1 || !Dom.opaque(el)) return true;
    if (Math.min(width, height) > THIN) return false;
    return Dom.style(el).cursor.endsWith('resize') || !(Visibility.drawn(el) || Generated.any(el));
  };

  // Whether something inside an element listens to clicks by itself.
  const within = (el) => heard && leading.has(el);

  return Object.freeze({ why, handles, within, hear, unheard, unseen, served, listens });
})();
