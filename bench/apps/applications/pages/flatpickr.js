import flatpickr from 'flatpickr';
import 'flatpickr/dist/flatpickr.css';
import { record } from './record.js';

document.getElementById('root').innerHTML = `
<h1>flatpickr</h1>
<p><label>Arrival <input id="date"></label></p>
<p><label>Meeting <input id="time"></label></p>
<p><label>Stay <input id="range"></label></p>
<p><label>Days off <input id="multiple"></label></p>
<p><label>Alarm <input id="clock"></label></p>
<p>Deadline</p><div id="inline"></div>`;

const told = (control) => (_, text) => record(control, text);
const start = { defaultDate: '2026-03-10' };
flatpickr('#date', { ...start, onChange: told('date') });
flatpickr('#time', { defaultDate: '2026-03-10 12:00', enableTime: true, onClose: told('time') });
flatpickr('#range', { defaultDate: ['2026-03-10', '2026-03-12'], mode: 'range', onClose: told('range') });
flatpickr('#multiple', { ...start, mode: 'multiple', onChange: told('multiple') });
flatpickr('#clock', { defaultDate: '12:00', enableTime: true, noCalendar: true, onClose: told('clock') });
flatpickr('#inline', { ...start, inline: true, onChange: told('inline') });
