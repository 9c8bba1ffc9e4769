// How elements look to which no rule applies: what each property then is, and which ones pass down.
() => {
  const INHERITED = (''
    + '-webkit-text-fill-color -webkit-text-security -webkit-text-stroke-color -webkit-text-stroke-width '
    + 'border-collapse clip-rule color color-interpolation color-interpolation-filters color-scheme direction '
    + 'dominant-baseline empty-cells fill fill-opacity fill-rule font-family font-kerning font-optical-sizing '
    + 'font-palette font-size font-size-adjust font-stretch font-style font-synthesis-small-caps '
    + 'font-synthesis-style font-synthesis-weight font-variant-alternates font-variant-caps font-variant-emoji '
    + 'font-variant-ligatures font-variant-numeric font-variant-position font-weight hyphens image-orientation '
    + 'image-rendering letter-spacing line-height list-style-image list-style-position list-style-type '
    + 'marker-end marker-mid marker-start overflow-wrap quotes ruby-position shape-rendering stroke '
    + 'stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity '
    + 'stroke-width tab-size text-align text-align-last text-anchor text-combine-upright '
    + 'text-decoration-skip-ink text-emphasis-color text-emphasis-position text-emphasis-style text-indent '
    + 'text-justify text-orientation text-rendering text-shadow text-transform text-underline-offset '
    + 'text-underline-position text-wrap-mode text-wrap-style visibility white-space-collapse word-break '
    + 'word-spacing writing-mode ').trim().split(' ');
  // These follow the colour of the text until they are set.
  const COLOURED = new Set([
    'border-bottom-color', 'border-left-color', 'border-right-color', 'border-top-color', 'column-rule-color',
    'outline-color', 'text-decoration-color',
  ]);
  const INITIAL = {
    'align-content': 'normal', 'align-items': 'normal', 'align-self': 'auto', 'appearance': 'none',
    'aspect-ratio': 'auto', 'backdrop-filter': 'none', 'background-attachment': 'scroll',
    'background-blend-mode': 'normal', 'background-clip': 'border-box',
    'background-color': 'rgba(0, 0, 0, 0)', 'background-image': 'none', 'background-origin': 'padding-box', 'background-position': '0% 0%',
    'background-repeat': 'repeat', 'background-size': 'auto', 'border-bottom-left-radius': '0px',
    'border-bottom-right-radius': '0px', 'border-bottom-style': 'none', 'border-bottom-width': '0px',
    'border-image-outset': '0', 'border-image-repeat': 'stretch', 'border-image-slice': '100%',
    'border-image-source': 'none', 'border-image-width': '1', 'border-left-style': 'none',
    'border-left-width': '0px', 'border-right-style': 'none', 'border-right-width': '0px',
    'border-top-left-radius': '0px', 'border-top-right-radius': '0px', 'border-top-style': 'none',
    'border-top-width': '0px', 'bottom': 'auto', 'box-shadow': 'none', 'box-sizing': 'content-box',
    'clear': 'none', 'clip-path': 'none', 'column-count': 'auto', 'column-gap': 'normal',
    'column-rule-style': 'none', 'column-rule-width': '3px', 'column-width': 'auto', 'cx': '0px',
    'cy': '0px', 'd': 'none', 'display': 'inline', 'filter': 'none', 'flex-basis': 'auto',
    'flex-direction': 'row', 'flex-grow': '0', 'flex-shrink': '1', 'flex-wrap': 'nowrap', 'float': 'none',
    'grid-auto-columns': 'auto', 'grid-auto-flow': 'row', 'grid-auto-rows': 'auto',
    'grid-column-end': 'auto', 'grid-column-start': 'auto', 'grid-row-end': 'auto',
    'grid-row-start': 'auto', 'grid-template-areas': 'none', 'grid-template-columns': 'none',
    'grid-template-rows': 'none', 'isolation': 'auto', 'justify-content': 'normal',
    'justify-items': 'normal', 'justify-self': 'auto', 'left': 'auto', 'margin-bottom': '0px',
    'margin-left': '0px', 'margin-right': '0px', 'margin-top': '0px', 'mask-clip': 'border-box',
    'mask-composite': 'add', 'mask-image': 'none', 'mask-mode': 'match-source', 'mask-origin': 'border-box',
    'mask-position': '0% 0%', 'mask-repeat': 'repeat', 'mask-size': 'auto', 'max-height': 'none',
    'max-width': 'none', 'min-height': '0px', 'min-width': '0px', 'mix-blend-mode': 'normal',
    'object-fit': 'fill', 'object-position': '50% 50%', 'opacity': '1', 'order': '0',
    'outline-offset': '0px', 'outline-style': 'none', 'outline-width': '3px', 'overflow-x': 'visible',
    'overflow-y': 'visible', 'padding-bottom': '0px', 'padding-left': '0px', 'padding-right': '0px',
    'padding-top': '0px', 'perspective': 'none', 'position': 'static', 'r': '0px', 'resize': 'none',
    'right': 'auto', 'rotate': 'none', 'row-gap': 'normal', 'rx': 'auto', 'ry': 'auto', 'scale': 'none',
    'stop-color': 'rgb(0, 0, 0)', 'stop-opacity': '1', 'table-layout': 'auto',
    'text-decoration-line': 'none', 'text-decoration-style': 'solid', 'text-decoration-thickness': 'auto',
    'text-overflow': 'clip', 'top': 'auto', 'transform': 'none', 'transform-style': 'flat',
    'translate': 'none', 'unicode-bidi': 'normal', 'vector-effect': 'none', 'vertical-align': 'baseline',
    'x': '0px', 'y': '0px', 'z-index': 'auto',
  };
  return { INHERITED, COLOURED, INITIAL };
}
