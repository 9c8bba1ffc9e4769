import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/shoelace.js';
import { record } from './record.js';

document.getElementById('root').innerHTML = `
<h1>Shoelace, more of it</h1>
<section><h2>Fields</h2>
<sl-input type="number" label="Amount" id="number" value="3"></sl-input>
<sl-input type="password" label="Passphrase" id="reveal" password-toggle value="x"></sl-input>
<sl-input label="Alias" id="clear" clearable value="ada"></sl-input>
<sl-checkbox id="checkbox">Gift wrap</sl-checkbox>
<sl-switch id="switch">Dark mode</sl-switch>
<sl-radio-group label="Size" id="radio" value="medium"><sl-radio value="medium">Medium</sl-radio><sl-radio value="large">Large</sl-radio></sl-radio-group>
<sl-radio-group label="View" id="segmented" value="day"><sl-radio-button value="day">Day</sl-radio-button><sl-radio-button value="week">Week</sl-radio-button></sl-radio-group>
<sl-select label="Skills" id="untag" multiple clearable value="sewing welding"><sl-option value="sewing">Sewing</sl-option><sl-option value="welding">Welding</sl-option></sl-select>
<sl-select label="Home" id="cleared" clearable value="lima"><sl-option value="lima">Lima</sl-option><sl-option value="lille">Lille</sl-option></sl-select>
<sl-rating label="Service" id="rating" value="1"></sl-rating>
<sl-color-picker label="Paint" id="colour" value="#4a90e2"></sl-color-picker>
<sl-range label="Share" id="range" min="0" max="1" step="0.1" value="0.5"></sl-range>
</section>
<section><h2>Buttons</h2>
<sl-button id="button">Save</sl-button>
<sl-icon-button id="icon" name="gear" label="Settings"></sl-icon-button>
<sl-button-group label="Alignment"><sl-button id="left">Left</sl-button><sl-button id="right">Right</sl-button></sl-button-group>
<sl-copy-button id="copy" value="abc" copy-label="Copy the code"></sl-copy-button>
<sl-tooltip content="Nobody else sees this" id="tooltip"><sl-button>Private</sl-button></sl-tooltip>
<sl-alert open closable id="alert">Read this once.</sl-alert>
<sl-dropdown><sl-button slot="trigger" caret>View</sl-button><sl-menu id="menu"><sl-menu-item type="checkbox" value="grid">Grid</sl-menu-item><sl-menu-item>Find<sl-menu slot="submenu"><sl-menu-item value="next">Find next</sl-menu-item></sl-menu></sl-menu-item></sl-menu></sl-dropdown>
<sl-tag removable id="tag">Urgent</sl-tag>
</section>
<section><h2>Places</h2>
<sl-breadcrumb><sl-breadcrumb-item id="crumb">Home</sl-breadcrumb-item><sl-breadcrumb-item>Here</sl-breadcrumb-item></sl-breadcrumb>
<sl-tab-group id="tabs"><sl-tab slot="nav" panel="one">Part one</sl-tab><sl-tab slot="nav" panel="two" closable>Part two</sl-tab><sl-tab-panel name="one">First.</sl-tab-panel><sl-tab-panel name="two">Second.</sl-tab-panel></sl-tab-group>
<sl-details summary="Shipping" id="details" open>Takes three days.</sl-details>
<sl-tree id="tree" selection="multiple"><sl-tree-item id="fruit">Fruit<sl-tree-item>Apple</sl-tree-item><sl-tree-item>Pear</sl-tree-item></sl-tree-item></sl-tree>
<sl-split-panel id="split" position="50" style="height:60px"><div slot="start">Start</div><div slot="end">End</div></sl-split-panel>
<sl-image-comparer id="comparer" position="50" style="width:200px"><svg slot="before" width="200" height="60"><rect width="200" height="60"/></svg><svg slot="after" width="200" height="60"></svg></sl-image-comparer>
<sl-carousel id="carousel" navigation pagination style="max-width:400px;--aspect-ratio:4/1"><sl-carousel-item>First slide</sl-carousel-item><sl-carousel-item>Second slide</sl-carousel-item><sl-carousel-item>Third slide</sl-carousel-item></sl-carousel>
</section>`;

const byId = (id) => document.getElementById(id);
const on = (id, type, read) => byId(id).addEventListener(type, (event) => record(id, read ? read(event) : type));
for (const id of ['number', 'radio', 'segmented', 'untag', 'rating', 'colour', 'range']) on(id, 'sl-change', () => byId(id).value);
for (const id of ['checkbox', 'switch']) on(id, 'sl-change', () => byId(id).checked);
for (const id of ['button', 'icon', 'left', 'right', 'crumb']) on(id, 'click');
for (const id of ['clear', 'cleared']) on(id, 'sl-clear');
byId('reveal').updateComplete.then(() => byId('reveal').shadowRoot.querySelector('[part~=password-toggle-button]').addEventListener('click', () => record('reveal', 'toggled')));
on('copy', 'sl-copy', (event) => event.detail.value);
on('copy', 'sl-error', () => 'denied');
on('tooltip', 'sl-show');
on('alert', 'sl-hide');
byId('menu').addEventListener('sl-select', ({ detail: { item } }) => record(item.type === 'checkbox' ? 'check' : 'submenu', item.type === 'checkbox' ? item.checked : item.value));
on('tag', 'sl-remove', () => { byId('tag').remove(); return 'removed'; });
document.querySelector('sl-tab[closable]').addEventListener('sl-close', () => record('tabs', 'closed'));
on('details', 'sl-hide');
byId('fruit').addEventListener('sl-expand', () => record('expand', 'sl-expand'));
on('tree', 'sl-selection-change', (event) => event.detail.selection.length);
on('split', 'sl-reposition', () => Math.round(byId('split').position));
on('comparer', 'sl-change', () => Math.round(byId('comparer').position));
on('carousel', 'sl-slide-change', (event) => event.detail.index);
