import flatpickr from 'flatpickr';
import confirmDatePlugin from 'flatpickr/dist/plugins/confirmDate/confirmDate.js';
import monthSelectPlugin from 'flatpickr/dist/plugins/monthSelect/index.js';
import weekSelect from 'flatpickr/dist/plugins/weekSelect/weekSelect.js';
import 'flatpickr/dist/flatpickr.css';
import 'flatpickr/dist/plugins/confirmDate/confirmDate.css';
import 'flatpickr/dist/plugins/monthSelect/style.css';
import { record } from './record.js';

document.getElementById('root').innerHTML = `
<h1>flatpickr, more of it</h1>
<p><label>Arrival <input id="arrows"></label></p>
<p><label>Birthday <input id="year"></label></p>
<p><label>Alarm <input id="clock"></label></p>
<p><label>Typed <input id="typed"></label></p>
<p><label>Bill <input id="month"></label></p>
<p><label>Sprint <input id="week"></label></p>
<p><label>Meeting <input id="confirm"></label></p>
<p id="wrap">Departure <input data-input aria-label="Departure"> <button data-toggle>Choose</button> <button data-clear>Forget</button></p>
<p><label for="alt">Party</label> <input id="alt"></p>`;

const told = (control) => (_, text) => record(control, text);
const start = { defaultDate: '2026-03-10' };
flatpickr('#arrows', { ...start, onChange: told('arrows') });
flatpickr('#year', { ...start, onChange: told('year') });
flatpickr('#clock', { defaultDate: '12:00', enableTime: true, noCalendar: true, onChange: told('clock') });
flatpickr('#typed', { ...start, allowInput: true, onChange: told('typed') });
flatpickr('#month', { ...start, plugins: [new monthSelectPlugin({ shorthand: false, dateFormat: 'Y-m', altFormat: 'F Y' })], onChange: told('month') });
flatpickr('#week', { ...start, plugins: [new weekSelect({})], weekNumbers: true, onChange: (dates) => record('week', dates.length && flatpickr.formatDate(dates[0], 'W')) });
flatpickr('#confirm', { defaultDate: '2026-03-10 12:00', enableTime: true, plugins: [new confirmDatePlugin({})], onClose: told('confirm') });
flatpickr('#wrap', { ...start, wrap: true, onChange: told('wrap') });
flatpickr('#alt', { ...start, altInput: true, altFormat: 'F j, Y', onChange: told('alt') });
