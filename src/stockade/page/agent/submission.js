// The entry list of a form: what it would send if it were submitted now, as HTML constructs it, without
// the events by which a page would hear of that.
const Submission = (() => {
  const { getter } = Dom;
  const formElements = getter(HTMLFormElement.prototype, 'elements');
  const files = getter(HTMLInputElement.prototype, 'files');
  const fileName = getter(File.prototype, 'name');
  const fileSize = getter(Blob.prototype, 'size');
  const options = getter(HTMLSelectElement.prototype, 'options');
  const optionSelected = getter(HTMLOptionElement.prototype, 'selected');
  const optionValue = getter(HTMLOptionElement.prototype, 'value');
  const own = {
    action: getter(HTMLFormElement.prototype, 'action'),
    method: getter(HTMLFormElement.prototype, 'method'),
    enctype: getter(HTMLFormElement.prototype, 'enctype'),
    target: getter(HTMLFormElement.prototype, 'target'),
  };
  const METHODS = new Set(['get', 'post', 'dialog']);
  const TYPES = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);
  const NO_ENTRY = new Set(['button', 'reset', 'submit', 'image']);
  const MOST_LENGTH = 200000;

  const address = (string) => {
    try {
      return new URL(string, document.baseURI).href;
    } catch {
      return string;
    }
  };
  const isSubmit = (el) => {
    if (el instanceof HTMLButtonElement) return !['button', 'reset'].includes((Dom.attr(el, 'type') || '').toLowerCase());
    return el instanceof HTMLInputElement && ['submit', 'image'].includes(Dom.type(el));
  };
  const disabled = (el) => Dom.matches(el, ':disabled');
  const lines = (string) => string.replace(/\r\n?|\n/g, '\r\n');

  const fileEntries = (el, name) => {
    const chosen = [...(files(el) || [])];
    if (!chosen.length) return [{ name, value: '', kind: 'file', size: 0 }];
    return chosen.map((each) => ({ name, value: fileName(each), kind: 'file', size: fileSize(each) }));
  };
  const kindOf = (el) => {
    if (Dom.secret(el)) return 'secret';
    return Dom.type(el) === 'hidden' || !Dom.shown(el) ? 'hidden' : '';
  };
  const valuesOf = (el) => {
    if (el instanceof HTMLSelectElement) return [...options(el)].filter((each) => optionSelected(each) && !disabled(each)).map(optionValue);
    const type = Dom.type(el);
    if (type === 'checkbox' || type === 'radio') return Dom.checked(el) ? [Dom.attr(el, 'value') ?? 'on'] : [];
    if (type === 'hidden' && (Dom.attr(el, 'name') || '').toLowerCase() === '_charset_') return ['UTF-8'];
    return [lines(Dom.rawValue(el) || '')];
  };
  const entriesOf = (el, submitter) => {
    if (disabled(el)) return [];
    const pressed = el === submitter;
    if ((el instanceof HTMLButtonElement || NO_ENTRY.has(Dom.type(el))) && !pressed) return [];
    const name = Dom.attr(el, 'name') || '';
    if (!name) return [];
    const type = Dom.type(el);
    if (type === 'file') return fileEntries(el, name);
    if (pressed) return [{ name, value: Dom.attr(el, 'value') || '', kind: 'button' }];
    if (!Dom.isField(el)) return [];
    const label = Text.cut(Text.clean(Aria.name(el)), 100);
    const kind = kindOf(el);
    return valuesOf(el).map((value) => ({ name, value, ...(kind ? { kind } : {}), ...(label && label !== name ? { label } : {}) }));
  };

  // The button by which Enter in a field submits.
  const defaultButton = (form) => [...formElements(form)].find(isSubmit) || null;

  const said = (form, submitter, name, allowed) => {
    const given = submitter ? Dom.attr(submitter, `form${name}`) : null;
    const value = (given ?? own[name](form) ?? '').toLowerCase();
    return allowed.has(value) ? value : [...allowed][0];
  };
  const of = (form, submitter = null) => {
    const pressed = submitter && isSubmit(submitter) ? submitter : null;
    const fields = [...formElements(form)].flatMap((el) => entriesOf(el, pressed));
    const action = pressed ? Dom.attr(pressed, 'formaction') : null;
    const target = (pressed && Dom.attr(pressed, 'formtarget')) ?? own.target(form);
    const length = fields.reduce((sum, each) => sum + each.value.length, 0);
    return {
      action: address(action ?? own.action(form)),
      method: said(form, pressed, 'method', METHODS),
      enctype: said(form, pressed, 'enctype', TYPES),
      ...(target ? { target } : {}),
      fields,
      // Where the pointer meets an image is sent too, and very long values are not looked through here.
      ...((pressed && Dom.type(pressed) === 'image') || length > MOST_LENGTH ? { inexact: true } : {}),
    };
  };

  // What the fields of a document are to a person who looks at it, for a request that carries their names.
  const MOST_FIELDS = 500;
  const fieldKinds = () => [document, ...Selector.roots(document)]
    .flatMap((root) => [...Dom.query(root, 'input,textarea,select')]).slice(0, MOST_FIELDS)
    .map((el) => ({
      name: Dom.attr(el, 'name') || Dom.attr(el, 'id') || '', kind: kindOf(el),
      ...(Dom.secret(el) ? { value: Dom.rawValue(el) || '' } : {}),
    }));
  const isLink = ({ url }) => [document, ...Selector.roots(document)]
    .some((root) => [...Dom.query(root, 'a[href],area[href]')].some((el) => address(Dom.attr(el, 'href')).split('#')[0] === url));

  // Whether a form, or a button of one, sends what it holds to an address, by its query.
  const isFormAction = ({ url }) => [document, ...Selector.roots(document)].some((root) => (
    [...Dom.query(root, 'form,[formaction]')].some((el) => {
      const action = Dom.attr(el, el instanceof HTMLFormElement ? 'action' : 'formaction');
      return address(action || document.URL).split(/[?#]/)[0] === url.split('?')[0];
    })));

  // The request of a form again: what it carries is put in where it leaves.
  const submit = Dom.method(HTMLFormElement.prototype, 'submit');
  const setAttribute = Dom.method(Element.prototype, 'setAttribute');
  const submitAgain = ({ url, verb }) => {
    if (verb === 'GET') {
      location.assign(url);
      return;
    }
    const form = document.createElement('form');
    setAttribute(form, 'method', 'post');
    setAttribute(form, 'action', url);
    document.documentElement.append(form);
    submit(form);
    form.remove();
  };

  Agent.expose('submit_again', submitAgain);
  Agent.expose('field_kinds', fieldKinds);
  Agent.expose('is_link', isLink);
  Agent.expose('is_form_action', isFormAction);

  return Object.freeze({ of, defaultButton, isSubmit, address });
})();
