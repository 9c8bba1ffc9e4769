// Plays the video of a watch page without sound and with captions, as a press on its buttons does.
() => {
  const documentOwn = Document.prototype;
  const first = (selector) => documentOwn.querySelector.call(document, selector);
  const video = first('video');
  if (video) {
    video.muted = true;
    video.play().catch(() => {});
  }
  const button = first('.ytp-subtitles-button');
  if (button && button.getAttribute('aria-pressed') !== 'true') button.click();
  return Boolean(video);
}
