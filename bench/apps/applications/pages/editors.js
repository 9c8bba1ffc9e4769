import { basicSetup, EditorView } from 'codemirror';
import { javascript } from '@codemirror/lang-javascript';
import Quill from 'quill';
import 'quill/dist/quill.snow.css';
import { record } from './record.js';

document.getElementById('root').innerHTML = `
<h1>Editors</h1>
<section><h2>CodeMirror</h2><div id="code" style="border:1px solid"></div></section>
<section><h2>Quill</h2><div id="rich"><p>Hello <strong>world</strong></p></div></section>`;

new EditorView({
  doc: 'const answer = 42;\nconsole.log(answer);\n',
  parent: document.getElementById('code'),
  extensions: [basicSetup, javascript(), EditorView.updateListener.of((update) => {
    if (update.docChanged) record('code', update.state.doc.toString());
  })],
});
const quill = new Quill('#rich', { theme: 'snow' });
quill.on('text-change', () => record('rich', quill.getSemanticHTML()));
