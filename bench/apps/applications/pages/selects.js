import $ from './jquery.js';
import select2 from 'select2';
import 'select2/dist/css/select2.css';
import Choices from 'choices.js';
import 'choices.js/public/assets/styles/choices.css';
import { record } from './record.js';

const options = (...names) => names.map((name) => `<option>${name}</option>`).join('');

document.getElementById('root').innerHTML = `
<h1>Selects</h1>
<section><h2>select2</h2>
<p><label for="state">State</label> <select id="state" style="width:240px">${options('Alabama', 'Alaska', 'Arizona', 'Arkansas')}</select></p>
<p><label for="states">States</label> <select id="states" multiple style="width:400px">${options('Texas', 'Utah', 'Vermont')}</select></p></section>
<section style="max-width:400px"><h2>Choices.js</h2>
<p><label for="city">City</label><select id="city">${options('Leeds', 'Manchester', 'London', 'Londonderry')}</select></p>
<p><label for="cities">Cities</label><select id="cities" multiple>${options('Paris', 'Lyon', 'Nice')}</select></p>
<p><label for="tags">Tags</label><input id="tags" value="first"></p></section>`;

// Bundled as CommonJS it exports its installer.
if (typeof select2 === 'function') select2(window, $);
$('#state').select2().on('change', () => record('single', $('#state').val()));
$('#states').select2({ placeholder: 'Several' }).on('change', () => record('multiple', $('#states').val()));
for (const id of ['city', 'cities', 'tags']) {
  const element = document.getElementById(id);
  const choices = new Choices(element, { removeItemButton: true, shouldSort: false });
  element.addEventListener('change', () => record(id, choices.getValue(true)));
}
