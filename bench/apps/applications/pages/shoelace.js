import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/shoelace.js';
import { record } from './record.js';

document.getElementById('root').innerHTML = `
<h1>Shoelace</h1>
<section><h2>Fields</h2>
<sl-input label="Full name" id="text"></sl-input>
<sl-textarea label="Notes" id="notes"></sl-textarea>
<sl-select label="Colour" id="select"><sl-option value="red">Red</sl-option><sl-option value="green">Green</sl-option><sl-option value="blue">Blue</sl-option></sl-select>
<sl-select label="Skills" id="multiple" multiple clearable><sl-option value="cooking">Cooking</sl-option><sl-option value="sewing">Sewing</sl-option><sl-option value="welding">Welding</sl-option></sl-select>
<sl-checkbox id="checkbox">Gift wrap</sl-checkbox>
<sl-switch id="switch">Dark mode</sl-switch>
<sl-radio-group label="Size" id="radio" value="medium"><sl-radio value="small">Small</sl-radio><sl-radio value="medium">Medium</sl-radio><sl-radio value="large">Large</sl-radio></sl-radio-group>
<sl-radio-group label="View" id="segmented" value="day"><sl-radio-button value="day">Day</sl-radio-button><sl-radio-button value="week">Week</sl-radio-button></sl-radio-group>
<sl-range label="Volume" id="slider" min="0" max="100" value="30"></sl-range>
<sl-rating label="Service" id="rating"></sl-rating>
<sl-input type="date" label="Arrival" id="date"></sl-input>
</section>
<section><h2>Overlays</h2>
<sl-button id="open-dialog">Open dialog</sl-button>
<sl-dialog label="Use location service?">Let us send anonymous location data.<sl-button slot="footer" id="agree" variant="primary">Agree</sl-button></sl-dialog>
<sl-button id="open-drawer">Open drawer</sl-button>
<sl-drawer label="Basket">Two teas.<sl-button slot="footer" id="pay" variant="primary">Pay</sl-button></sl-drawer>
<sl-dropdown><sl-button slot="trigger" caret>Account</sl-button><sl-menu id="menu"><sl-menu-item value="profile">Profile</sl-menu-item><sl-menu-item value="logout">Log out</sl-menu-item></sl-menu></sl-dropdown>
<sl-button id="notify">Archive note</sl-button>
<sl-alert variant="success" duration="4000" closable>Note archived</sl-alert>
</section>
<section><h2>Navigation</h2>
<sl-tab-group id="tab"><sl-tab slot="nav" panel="overview">Overview</sl-tab><sl-tab slot="nav" panel="billing">Billing</sl-tab><sl-tab-panel name="overview">Everything is fine.</sl-tab-panel><sl-tab-panel name="billing">You owe nothing.</sl-tab-panel></sl-tab-group>
<sl-details summary="Shipping" id="details">Takes three days.</sl-details>
<sl-tree id="tree"><sl-tree-item>Fruit<sl-tree-item>Apple</sl-tree-item><sl-tree-item>Pear</sl-tree-item></sl-tree-item><sl-tree-item>Vegetables</sl-tree-item></sl-tree>
<sl-tag removable id="tag">Urgent</sl-tag>
<sl-carousel id="carousel" navigation pagination style="max-width:400px;--aspect-ratio:4/1"><sl-carousel-item>First slide</sl-carousel-item><sl-carousel-item>Second slide</sl-carousel-item></sl-carousel>
</section>`;

const byId = (id) => document.getElementById(id);
for (const id of ['text', 'notes', 'select', 'multiple', 'radio', 'segmented', 'slider', 'rating', 'date']) {
  byId(id).addEventListener('sl-change', () => record(id, byId(id).value));
}
for (const id of ['checkbox', 'switch']) byId(id).addEventListener('sl-change', () => record(id, byId(id).checked));
const dialog = document.querySelector('sl-dialog');
const drawer = document.querySelector('sl-drawer');
byId('open-dialog').addEventListener('click', () => dialog.show());
byId('agree').addEventListener('click', () => { record('dialog', 'agree'); dialog.hide(); });
byId('open-drawer').addEventListener('click', () => drawer.show());
byId('pay').addEventListener('click', () => { record('drawer', 'paid'); drawer.hide(); });
byId('menu').addEventListener('sl-select', (event) => record('menu', event.detail.item.value));
byId('notify').addEventListener('click', () => { record('toast', 'shown'); document.querySelector('sl-alert').toast(); });
byId('tab').addEventListener('sl-tab-show', (event) => record('tab', event.detail.name));
byId('details').addEventListener('sl-show', () => record('details', 'open'));
byId('tree').addEventListener('sl-selection-change', (event) => record('tree', event.detail.selection.map((item) => item.textContent.trim())));
byId('tag').addEventListener('sl-remove', () => { record('tag', 'removed'); byId('tag').remove(); });
byId('carousel').addEventListener('sl-slide-change', (event) => record('carousel', event.detail.index));
