// Sliders: what keys move along a range, native or made of other elements.
const Sliders = (() => {
  const ROLES = new Set(['scrollbar', 'separator', 'slider', 'spinbutton']);
  const LOOKS = 4;
  const inputOf = (name) => Dom.getter(HTMLInputElement.prototype, name);
  const [lowest, highest, stepOf] = ['min', 'max', 'step'].map(inputOf);
  const dispatch = EventTarget.prototype.dispatchEvent;

  const isNative = (el) => Dom.type(el) === 'range';
  const is = (el) => isNative(el)
    || (!Act.editableKind(el) && ROLES.has(Aria.role(el)) && Dom.has(el, 'aria-valuenow'));

  const amount = (string, otherwise) => {
    const found = string && string.trim() ? Number(string) : NaN;
    return Number.isFinite(found) ? found : otherwise;
  };
  const limits = (el) => (isNative(el)
    ? [amount(lowest(el), 0), amount(highest(el), 100)]
    : [amount(Dom.attr(el, 'aria-valuemin'), -Infinity), amount(Dom.attr(el, 'aria-valuemax'), Infinity)]);
  const position = (el) => ({
    number: amount(isNative(el) ? Dom.value(el) : Dom.attr(el, 'aria-valuenow'), 0),
    text: Text.clean(Controls.range(el)),
  });

  // A number within the limits, or else what the slider calls one of its positions.
  const goalOf = (el, value) => {
    const [low, high] = limits(el);
    const wanted = amount(value, null);
    if (wanted !== null && wanted >= low && wanted <= high && (!isNative(el) || holds(el, wanted))) return wanted;
    if (wanted === null && value.trim() && Dom.attr(el, 'aria-valuetext')) return Text.clean(value);
    const form = `a number within its limits, ${low} to ${high}`;
    return Agent.fail('invalid_argument', `${Place.describe(el)} takes ${form}`, { type: 'range', form });
  };

  const put = (el, number) => Dom.setValue(el, String(number));
  const holds = (el, number) => {
    const before = Dom.value(el);
    put(el, number);
    const held = Number(Dom.value(el)) === number;
    put(el, before);
    return held;
  };

  // As a drag would, to the place beside the goal: the key for the last step is what a page hears as
  // the end of a move. Only then is there a `change`, and one.
  const bringNear = (el, goal) => {
    const [low, high] = limits(el);
    const step = stepOf(el) === 'any' ? (high - low) / 100 : amount(stepOf(el), 1);
    const beside = Number((goal - step >= low ? goal - step : goal + step).toFixed(10));
    if (beside > high || beside === position(el).number) return;
    put(el, beside);
    dispatch.call(el, new Event('input', { bubbles: true, composed: true }));
  };

  const prepare = (el, value) => {
    const goal = goalOf(el, value);
    const at = position(el);
    if (goal === at.number || goal === at.text) return { mode: 'set' };
    const active = Act.focusFor(el);
    if (isNative(el) && typeof goal === 'number') bringNear(el, goal);
    Guard.allow([el, active]);
    return { mode: 'slide', goal, at: position(el) };
  };

  // Where it is; a page may take a moment to move it from where it was, and go on by and by.
  const look = async ({ ref, was }) => {
    const el = Refs.get(ref);
    const gone = () => !el || !Dom.connected(el);
    if (!was || gone()) return gone() ? null : position(el);
    let [last, still] = [was, 0];
    while (!gone() && still < (last === was ? LOOKS : 1)) {
      await Settle.frame();
      const at = position(el);
      if (at.number === last.number && at.text === last.text) still += 1;
      else [last, still] = [at, 0];
    }
    return gone() ? null : last;
  };

  Agent.expose('slider_position', look);

  return Object.freeze({ is, prepare });
})();
