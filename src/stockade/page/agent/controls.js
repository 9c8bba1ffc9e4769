// What controls have chosen: options of a select or list, the position in a range.
const Controls = (() => {
  const { getter } = Dom;
  const selectedOptions = getter(HTMLSelectElement.prototype, 'selectedOptions');
  const optionSelected = getter(HTMLOptionElement.prototype, 'selected');

  const optionChosen = (el) => el instanceof HTMLOptionElement && optionSelected(el);

  // The chosen options of a select or of an ARIA listbox (or the list a combobox controls).
  const selected = (el) => {
    if (el instanceof HTMLSelectElement) return [...selectedOptions(el)];
    let list = el;
    if (Roles.role(el) === 'combobox') {
      const owned = Dom.attr(el, 'aria-controls') || Dom.attr(el, 'aria-owns') || '';
      list = Dom.byId(el, owned.trim().split(/\s+/)[0]);
    }
    return list ? [...Dom.query(list, '[role~="option"][aria-selected="true"]')] : [];
  };

  const range = (el) => {
    for (const attribute of ['aria-valuetext', 'aria-valuenow']) {
      const said = Dom.attr(el, attribute);
      if (said) return said;
    }
    if (el instanceof HTMLInputElement) return Dom.value(el);
    return Dom.tag(el) === 'meter' || Dom.tag(el) === 'progress' ? Dom.attr(el, 'value') || '' : '';
  };

  return Object.freeze({ optionChosen, selected, range });
})();
