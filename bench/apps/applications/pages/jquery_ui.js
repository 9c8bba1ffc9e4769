import $ from './jquery.js';
import 'jquery-ui/dist/jquery-ui.js';
import 'jquery-ui/dist/themes/base/jquery-ui.css';
import { record } from './record.js';

const LANGUAGES = ['ActionScript', 'AppleScript', 'BASIC', 'C', 'C++', 'Clojure', 'COBOL', 'Erlang', 'Fortran', 'Haskell', 'Java', 'JavaScript', 'Lisp', 'Perl', 'Python', 'Ruby', 'Scala', 'Scheme'];

document.getElementById('root').innerHTML = `
<style>.box{width:120px;height:60px;border:1px solid;display:inline-block;vertical-align:top;margin:8px}#sortable{width:200px}#selectable .ui-selecting{background:#fec}#selectable .ui-selected{background:#f90}</style>
<h1>jQuery UI</h1>
<section><h2>Fields</h2>
<p><label for="autocomplete">Language</label> <input id="autocomplete"></p>
<p><label for="date">Arrival</label> <input id="date"></p>
<p><label for="select">Speed</label> <select id="select"><option>Slow</option><option selected>Medium</option><option>Fast</option></select></p>
<p><label for="spinner">Amount</label> <input id="spinner" value="3"></p>
<fieldset><legend>Hotel</legend><label for="r1">2 stars</label><input type="radio" name="r" id="r1" value="2"><label for="r2">3 stars</label><input type="radio" name="r" id="r2" value="3"></fieldset>
<label for="c1">Breakfast</label><input type="checkbox" id="c1">
<p>Volume</p><div id="slider" style="width:300px"></div>
<p>Price range</p><div id="range" style="width:300px"></div>
</section>
<section><h2>Overlays</h2>
<button id="open">Delete items</button><div id="dialog" title="Empty the recycle bin?"><p>These items will be deleted.</p></div>
<ul id="menu" style="width:160px"><li><div>Toys</div></li><li><div>Books</div><ul style="width:160px"><li><div>Poetry</div></li><li><div>Novels</div></li></ul></li></ul>
</section>
<section><h2>Layout</h2>
<div id="tabs"><ul><li><a href="#t1">Overview</a></li><li><a href="#t2">Billing</a></li></ul><div id="t1">Everything is fine.</div><div id="t2">You owe nothing.</div></div>
<div id="accordion"><h3>Shipping</h3><div>Takes three days.</div><h3>Returns</h3><div>Within a month.</div></div>
</section>
<section><h2>Interactions</h2>
<div id="draggable" class="box">Drag me</div><div id="droppable" class="box">Drop here</div>
<ul id="sortable"><li>Item 1</li><li>Item 2</li><li>Item 3</li></ul>
<ol id="selectable"><li>Row 1</li><li>Row 2</li><li>Row 3</li></ol>
<div id="resizable" class="box">Resize me</div>
</section>`;

$('#autocomplete').autocomplete({ source: LANGUAGES, select: (_, ui) => record('autocomplete', ui.item.value) });
$('#date').datepicker({ defaultDate: new Date(2026, 2, 10), onSelect: (text) => record('date', text) });
$('#select').selectmenu({ width: 160, change: (_, ui) => record('select', ui.item.value) });
$('#spinner').spinner({ min: 0, max: 10, stop: () => record('spinner', $('#spinner').spinner('value')) });
$('input[name=r]').checkboxradio().on('change', (event) => record('radio', event.target.value));
$('#c1').checkboxradio().on('change', (event) => record('checkbox', event.target.checked));
$('#slider').slider({ value: 30, change: (_, ui) => record('slider', ui.value) });
$('#range').slider({ range: true, min: 0, max: 500, values: [75, 300], change: (_, ui) => record('range', ui.values) });
$('#dialog').dialog({
  autoOpen: false, modal: true, show: 200, hide: 200,
  buttons: { 'Delete all': () => { record('dialog', 'deleted'); $('#dialog').dialog('close'); }, Cancel: () => $('#dialog').dialog('close') },
});
$('#open').button().on('click', () => $('#dialog').dialog('open'));
$('#menu').menu({ select: (_, ui) => record('menu', ui.item.children('div').text()) });
$('#tabs').tabs({ activate: (_, ui) => record('tab', ui.newTab.text()) });
$('#accordion').accordion({ beforeActivate: (_, ui) => record('accordion', ui.newHeader.text()) });
$('#draggable').draggable({ revert: 'invalid' });
$('#droppable').droppable({ drop: () => { $('#droppable').text('Dropped!'); record('drop', 'dropped'); } });
$('#sortable').sortable({ update: () => record('sort', $('#sortable li').toArray().map((li) => li.textContent)) });
$('#selectable').selectable({ stop: () => record('selectable', $('#selectable .ui-selected').toArray().map((li) => li.textContent)) });
$('#resizable').resizable({ stop: (_, ui) => record('resize', ui.size.width > 130) });
