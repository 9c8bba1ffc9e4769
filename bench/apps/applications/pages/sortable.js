import Sortable from 'sortablejs';
import { record } from './record.js';

document.getElementById('root').innerHTML = `
<style>li{padding:8px;border:1px solid #ccc;width:240px}</style><h1>Sortable lists</h1>
<h2>To do</h2><ul id="todo"><li>Buy milk</li><li>Call Ada</li><li>Pay rent</li></ul>
<h2>Done</h2><ul id="done" style="min-height:40px"><li>Wash car</li></ul>`;

const names = (id) => [...document.querySelectorAll(`#${id} li`)].map((item) => item.textContent);
const onEnd = () => record('lists', [names('todo'), names('done')]);
for (const id of ['todo', 'done']) Sortable.create(document.getElementById(id), { group: 'tasks', animation: 150, onEnd });
