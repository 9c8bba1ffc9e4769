// Tell an extension, in its own worker, that the key of a command was pressed over the tab in front.
async (name) => {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  const { onCommand } = chrome.commands;
  if (!onCommand.hasListeners()) return false;
  onCommand.dispatch(name, tab);
  return true;
}
