import $ from './jquery.js';
import 'jquery-ui/dist/jquery-ui.js';
import 'jquery-ui/dist/themes/base/jquery-ui.css';
import { record } from './record.js';

document.getElementById('root').innerHTML = `
<style>.box{width:120px;height:60px;border:1px solid}</style>
<h1>jQuery UI, more of it</h1>
<section><h2>Fields</h2>
<p><label for="spinner">Amount</label> <input id="spinner" value="3"></p>
<p><label for="keys">Town</label> <input id="keys"></p>
<p><label for="birth">Birthday</label> <input id="birth"></p>
<div id="inline"></div>
<p>Volume</p><div id="slider" style="width:300px"></div>
<p>Price range</p><div id="range" style="width:300px"></div>
<fieldset id="group"><legend>Car</legend><select id="car"><option>Compact</option><option>Large</option></select><label for="gps">Navigation</label><input type="checkbox" id="gps"><button id="book">Book</button></fieldset>
</section>
<section><h2>Widgets</h2>
<button id="button">Save</button><input type="submit" id="submit" value="Send"><a id="link" href="#here">Read</a>
<button id="private" title="Nobody else sees this">Private</button>
<button id="open">Show notice</button><div id="dialog" title="Notice"><p>What the notice says.</p></div>
<div id="accordion"><h3>Shipping</h3><div>Takes three days.</div><h3>Returns</h3><div>Within a month.</div></div>
<div id="tabs"><ul><li><a href="#t1">Part one</a></li><li><a href="#t2">Part two</a></li></ul><div id="t1">First.</div><div id="t2">Second.</div></div>
<div id="resizable" class="box">Resize me</div>
<div id="draggable" class="box">Move me</div><p>A place to move it to</p>
</section>`;

$('#spinner').spinner({ min: 0, max: 10, stop: () => record('arrows', $('#spinner').spinner('value')) });
$('#keys').autocomplete({ source: ['Lille', 'Lima', 'Lisbon'], select: (_, ui) => record('keys', ui.item.value) });
$('#birth').datepicker({ changeMonth: true, changeYear: true, defaultDate: new Date(2026, 2, 10), yearRange: '1980:2030', onSelect: (text) => record('birth', text) });
$('#inline').datepicker({ defaultDate: new Date(2026, 2, 10), onSelect: (text) => record('inline', text) });
$('#slider').slider({ value: 30, change: (_, ui) => record('slider', ui.value) });
$('#range').slider({ range: true, min: 0, max: 500, step: 5, values: [75, 300], change: (_, ui) => record('range', ui.values) });
$('#group').controlgroup();
$('#car').on('selectmenuchange', () => record('group', $('#car').val()));
$('#gps').on('change', (event) => record('check', event.target.checked));
for (const id of ['button', 'submit', 'link', 'book']) $(`#${id}`).button().on('click', () => record(id, 'clicked'));
$('#private').tooltip({ open: () => record('tooltip', 'open') });
$('#dialog').dialog({ autoOpen: false, close: () => record('close', 'closed') });
$('#open').on('click', () => $('#dialog').dialog('open'));
$('#accordion').accordion({ collapsible: true, beforeActivate: (_, ui) => record('accordion', ui.newHeader.text()) });
$('#tabs').tabs();
$('#resizable').resizable({ stop: (_, ui) => record('resize', ui.size.width > 130) });
$('#draggable').draggable({ stop: () => record('drag', 'moved') });
