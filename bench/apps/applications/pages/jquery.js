// jQuery and its plugins want a global of this name before they are loaded.
import jQuery from 'jquery';

window.jQuery = jQuery;
window.$ = jQuery;
export default jQuery;
