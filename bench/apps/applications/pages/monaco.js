import * as monaco from 'monaco-editor';
import { record } from './record.js';

self.MonacoEnvironment = { getWorker: () => new Worker('monaco.worker.js') };
document.getElementById('root').innerHTML = '<h1>Monaco</h1><div id="editor" style="height:400px;border:1px solid"></div>';
const editor = monaco.editor.create(document.getElementById('editor'), {
  value: 'def greet(name):\n    return "Hello " + name\n', language: 'python', automaticLayout: true,
});
editor.onDidChangeModelContent(() => record('text', editor.getValue()));
