// The entries of an outline as they are added, and the runs of text between them.
const Entries = (() => {
  const CHUNK = 500;
  const LONGEST_TEXT = 100000;
  const SPACE_END = /\s$/;
  const SPACE_START = /^\s/;
  const INK = /\S/;
  // The private characters of icon fonts say nothing, nor do separators between other things; marks
  // that stand alone in their element do.
  const MERE_SIGNS = /^[\p{Co}\s]*$/u;
  const MERE_MARKS = /^[\p{P}\p{Co}|\s]*$/u;
  const alone = (node) => Dom.firstChild(Dom.nodeParent(node)) === node && !Dom.nextSibling(node);

  const add = (pass, kind, el, context, more) => {
    if (kind !== 'text' && pass.run) flush(pass);
    const parent = context.entry;
    const entry = {
      kind, el, parent, kids: [], depth: parent.depth + 1, prio: context.prio,
      role: '', name: '', head: '', tail: '', value: '', ref: false, ...more,
    };
    parent.kids.push(entry);
    pass.entries.push(entry);
    pass.tokens += 3 + (entry.head.length + entry.tail.length + entry.value.length) / 4;
    return entry;
  };

  // Ends the run of text under way. A long one takes several lines.
  const flush = (pass) => {
    const { run } = pass;
    pass.edges.length = 0;
    if (!run) return;
    pass.run = null;
    let text = Text.clean(run.text);
    if (MERE_MARKS.test(text) && (MERE_SIGNS.test(text) || !alone(run.node))) return;
    if (text === run.context.entry.name) return;
    for (let part = 0; text; part += 1) {
      let end = text.length;
      if (end > CHUNK) {
        const space = text.lastIndexOf(' ', CHUNK);
        end = space > CHUNK / 2 ? space : CHUNK;
        if (!text.slice(0, end).isWellFormed()) end += 1;
      }
      add(pass, 'text', run.node, run.context, { owner: run.owner, part, value: text.slice(0, end), mark: run.mark });
      text = text.slice(end).trimStart();
    }
  };

  // Inline elements go on with the run; others keep their words apart.
  const breaks = (el) => !/^(inline|contents|ruby)/.test(Dom.style(el).display);

  const say = (pass, node, raw, frame, mark) => {
    let { run } = pass;
    if (run && (run.context.entry !== frame.context.entry || run.mark !== mark || run.text.length > LONGEST_TEXT)) {
      flush(pass);
      run = null;
    }
    if (!run) {
      run = { text: '', node, owner: frame.block, context: frame.context, mark };
      pass.run = run;
    } else if (pass.edges.length && !SPACE_END.test(run.text) && !SPACE_START.test(raw) && pass.edges.some(breaks)) {
      run.text += ' ';
    }
    pass.edges.length = 0;
    run.text += raw.length <= LONGEST_TEXT ? raw
      : `${raw.slice(0, LONGEST_TEXT)} … (text of ${raw.length} characters)`;
  };

  // Ink on ground of the same colour is hidden, unless a picture may lie behind it.
  const overlaps = (one, other) => one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;
  const pictured = (el) => {
    const box = Dom.rect(el);
    for (let up = el, steps = 0; up && steps < 5; up = Dom.parent(up), steps += 1) {
      for (const picture of Array.from(Dom.query(up, 'img,video,canvas,svg')).slice(0, 20)) {
        if (overlaps(Dom.rect(picture), box)) return true;
      }
    }
    return false;
  };

  // Why nobody sees the text of a frame's element; '' if it is in plain sight.
  const veilOf = (pass, frame) => {
    if (frame.context.veil) return frame.context.veil;
    if (!frame.shown || frame.closed) return 'hidden';
    if (pass.interactive) return '';
    const why = Aria.unread(frame.el);
    return why === 'contrast' ? 'low_contrast' : why;
  };

  // What a style alone can bring to light is looked at again when changes are asked for.
  const MOST_UNSEEN = 2000;
  const MOST_VEILED = 300;
  const unseen = (pass, el, most = MOST_UNSEEN) => {
    if (pass.unseen.length < most && pass.unseen.at(-1) !== el) pass.unseen.push(el);
  };

  const text = (pass, node, frame) => {
    const { context } = frame;
    if (context.mute || (pass.interactive && !context.rowish)) return;
    const raw = Dom.text(node);
    if (!INK.test(raw)) {
      if (pass.run && raw) pass.run.text += ' ';
      return;
    }
    if (context.name && context.name.includes(Text.clean(raw))) return;
    const veil = veilOf(pass, frame);
    if (!veil) say(pass, node, raw, frame, '');
    else if (veil === 'low_contrast' && pictured(frame.el)) say(pass, node, raw, frame, veil);
    else {
      pass.hidden += 1;
      unseen(pass, frame.el, MOST_VEILED);
      if (pass.options.hidden) say(pass, node, raw, frame, veil === 'hidden' ? veil : `hidden: ${veil}`);
    }
  };

  return Object.freeze({ add, flush, text, breaks, unseen });
})();
