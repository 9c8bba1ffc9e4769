// What a frame shows, as one text, and where parts of that text are. The server knows what must
// not be seen and this side does not: it tells what can be read, and is asked for places.
(args, readText, readStyles, boxesOf, followChanges) => {
  const { Place } = globalThis.stockade.modules;
  // The functions of the first call are kept: they are fast by the second.
  const sight = globalThis.stockadeSight || (globalThis.stockadeSight = {
    read: (given) => readText(given, readStyles), places: boxesOf, follow: followChanges, text: null, found: null, spans: [], following: null,
  });
  const NOTHING = { boxes: [], fresh: [], missed: false };

  const here = () => ({ view: Place.view(), x: scrollX, y: scrollY });
  const placed = (spans) => {
    sight.spans = spans;
    return { boxes: sight.places(sight.found, spans) };
  };
  // What was seen since the look before, of which the page may have made an end again.
  const ended = () => {
    const seen = sight.following ? sight.following.end() : NOTHING;
    sight.following = null;
    return seen;
  };
  const follow = () => {
    if (args.again) return;
    ended();
    sight.following = sight.follow(sight.found, sight.spans, sight.places);
  };

  if (args.step === 'read') {
    const before = args.again ? sight.text : null;
    const meanwhile = ended();
    if (!args.again) sight.spans = [];
    sight.found = sight.read(args);
    sight.text = sight.found.text;
    follow();
    const { limited, covered, blind } = sight.found;
    const answer = { limited, covered: covered.length > 0 || blind, meanwhile: args.again ? meanwhile : NOTHING, ...here() };
    return sight.text === before ? { ...answer, ...placed(sight.spans) } : { ...answer, text: sight.text };
  }
  // Another document has come since the text was read.
  if (!sight.found) return { lost: true };
  const answer = { ...placed(args.spans), ...here() };
  follow();
  return answer;
}
