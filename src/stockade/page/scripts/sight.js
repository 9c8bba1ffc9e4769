// What a frame shows, as one text, and where parts of that text are. The server knows what must
// not be seen and this side does not: it tells what can be read, and is asked for places.
(args, readText, boxesOf) => {
  const { Pass, Place } = globalThis.stockade.modules;
  const MOST_SEEN = 2000;
  const LONGEST_MS = 10_000;
  // The functions of the first call are kept: they are fast by the second.
  const sight = globalThis.stockadeSight || (globalThis.stockadeSight = {
    read: readText, places: boxesOf, text: null, found: null, spans: [], seen: new Map(), stop: () => {},
  });
  const { read, places } = sight;

  const here = () => ({ view: Place.view(), x: scrollX, y: scrollY });
  const placed = (spans) => {
    sight.spans = spans;
    return { boxes: places(sight.found, spans) };
  };
  // Until the next look, every frame that is painted is looked at: text may go and come back.
  const follow = ({ found, spans }) => {
    let going = true;
    const seen = new Map();
    const look = Pass.over(() => {
      for (const box of places(found, spans)) if (seen.size < MOST_SEEN) seen.set(box.join(), box);
    });
    const each = () => {
      if (!going) return;
      look();
      requestAnimationFrame(each);
    };
    requestAnimationFrame(each);
    const timer = setTimeout(() => sight.stop(), LONGEST_MS);
    sight.seen = seen;
    sight.stop = () => {
      going = false;
      clearTimeout(timer);
    };
  };

  if (args.step === 'read') {
    sight.stop();
    const before = args.again ? sight.text : null;
    const seen = args.again ? [...sight.seen.values()] : [];
    if (!args.again) sight.spans = [];
    sight.seen = new Map();
    sight.found = read(args);
    sight.text = sight.found.text;
    const { limited, covered } = sight.found;
    const answer = { limited, covered: covered.length > 0, seen, ...here() };
    return sight.text === before ? { ...answer, ...placed(sight.spans) } : { ...answer, text: sight.text };
  }
  // Another document has come since the text was read.
  if (!sight.found) return { lost: true };
  const answer = { ...placed(args.spans), ...here() };
  if (args.follow) follow(sight);
  return answer;
}
