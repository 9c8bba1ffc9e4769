// What a document knows of how it was loaded and drawn, from before anybody asked.
async () => {
  const MOST = 300;
  const LONGEST_ADDRESS = 500;
  const address = (text) => String(text ?? '').slice(0, LONGEST_ADDRESS);
  const round = (value) => Math.round(value * 10) / 10;

  const buffered = (type, shape) => new Promise((resolve) => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) {
      resolve([]);
      return;
    }
    const rows = [];
    const observer = new PerformanceObserver((list) => rows.push(...list.getEntries()));
    observer.observe({ type, buffered: true });
    // Entries from before come in a task of their own, which this one is queued behind.
    setTimeout(() => {
      rows.push(...observer.takeRecords());
      observer.disconnect();
      resolve(rows.slice(-MOST).map(shape));
    }, 50);
  });

  const [longTasks, slowFrames, shifts] = await Promise.all([
    buffered('longtask', (entry) => ({ start: round(entry.startTime), duration: round(entry.duration) })),
    buffered('long-animation-frame', (entry) => ({
      start: round(entry.startTime),
      duration: round(entry.duration),
      scripts: (entry.scripts ?? []).slice(0, 10).map((each) => ({
        url: address(each.sourceURL),
        function: String(each.sourceFunctionName).slice(0, 100),
        duration: round(each.duration),
        forced: round(each.forcedStyleAndLayoutDuration),
      })),
    })),
    buffered('layout-shift', (entry) => ({ at: round(entry.startTime), score: entry.value, input: entry.hadRecentInput })),
  ]);
  const [navigation] = performance.getEntriesByType('navigation');
  const paints = Object.fromEntries(performance.getEntriesByType('paint').map((each) => [each.name, round(each.startTime)]));
  return {
    url: address(location.href),
    longTasks,
    slowFrames,
    shifts,
    firstPaint: paints['first-contentful-paint'] ?? null,
    loaded: navigation ? round(navigation.loadEventEnd) : null,
    resources: performance.getEntriesByType('resource').slice(0, MOST).map((each) => ({
      url: address(each.name),
      kind: each.initiatorType,
      start: round(each.startTime),
      duration: round(each.duration),
      end: round(each.responseEnd),
      bytes: each.encodedBodySize || each.transferSize,
      blocking: each.renderBlockingStatus === 'blocking',
    })),
    images: [...document.images].slice(0, MOST).filter((each) => each.currentSrc && each.naturalWidth).map((each) => ({
      url: address(each.currentSrc),
      width: each.naturalWidth,
      height: each.naturalHeight,
      shownWidth: Math.round(each.clientWidth * devicePixelRatio),
      shownHeight: Math.round(each.clientHeight * devicePixelRatio),
    })),
    fonts: [...document.fonts].slice(0, MOST).map((each) => ({
      family: each.family.slice(0, 100), status: each.status, display: each.display,
    })),
  };
};
