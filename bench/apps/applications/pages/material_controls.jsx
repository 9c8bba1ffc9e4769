import * as React from 'react';
import { createRoot } from 'react-dom/client';
import {
  Alert, AppBar, Autocomplete, Avatar, Backdrop, Badge, Breadcrumbs, Button, ButtonGroup, Card, CardActionArea, CardContent, Checkbox, Chip,
  Collapse, Fab, FormControl, FormControlLabel, IconButton, InputAdornment, InputLabel, Link, List, ListItem, ListItemButton, ListItemText,
  Menu, MenuItem, MobileStepper, NativeSelect, OutlinedInput, Popover, Select, Slider, SpeedDial, SpeedDialAction, Step, StepButton, Stepper, Switch,
  SwipeableDrawer, Tab, Table, TableBody, TableCell, TableHead, TablePagination, TableRow, Tabs, TextField, ToggleButton, ToggleButtonGroup, Tooltip,
} from '@mui/material';
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { DatePicker } from '@mui/x-date-pickers/DatePicker';
import { DateTimePicker } from '@mui/x-date-pickers/DateTimePicker';
import { TimePicker } from '@mui/x-date-pickers/TimePicker';
import { SimpleTreeView } from '@mui/x-tree-view/SimpleTreeView';
import { TreeItem } from '@mui/x-tree-view/TreeItem';
import dayjs from 'dayjs';
import { record } from './record.js';

const TOWNS = ['Lille', 'Lima', 'Lisbon', 'London'];
const format = (control, pattern) => (value) => record(control, value && value.format(pattern));
const X = () => <svg width="16" height="16" viewBox="0 0 16 16"><path d="M2 2 14 14M14 2 2 14" stroke="currentColor" /></svg>;

function Fields() {
  const [towns, setTowns] = React.useState([]);
  const [shown, setShown] = React.useState(false);
  const [share, setShare] = React.useState([20, 60]);
  const [drinks, setDrinks] = React.useState([]);
  return (
    <section>
      <h2>Fields</h2>
      <TextField label="Notes" multiline minRows={2} onChange={(event) => record('textarea', event.target.value)} />
      <TextField label="Amount" type="number" defaultValue={3} onChange={(event) => record('number', Number(event.target.value))} />
      <FormControl>
        <InputLabel htmlFor="pass">Passphrase</InputLabel>
        <OutlinedInput id="pass" label="Passphrase" type={shown ? 'text' : 'password'} endAdornment={
          <InputAdornment position="end"><IconButton aria-label={shown ? 'hide the passphrase' : 'show the passphrase'} onClick={() => { setShown(!shown); record('adornment', !shown); }}><X /></IconButton></InputAdornment>} />
      </FormControl>
      <FormControl sx={{ width: 200 }}>
        <InputLabel id="towns">Towns</InputLabel>
        <Select labelId="towns" label="Towns" multiple value={towns} renderValue={(all) => all.join(', ')} onChange={(event) => { setTowns(event.target.value); record('multiple', event.target.value); }}>
          {TOWNS.map((name) => <MenuItem key={name} value={name}><Checkbox checked={towns.includes(name)} /><ListItemText primary={name} /></MenuItem>)}
        </Select>
      </FormControl>
      <FormControl><InputLabel htmlFor="native">Speed</InputLabel><NativeSelect defaultValue="slow" inputProps={{ id: 'native' }} onChange={(event) => record('native', event.target.value)}><option value="slow">Slow</option><option value="fast">Fast</option></NativeSelect></FormControl>
      <Autocomplete freeSolo options={TOWNS} sx={{ width: 250 }} onChange={(_, value) => record('free', value)} renderInput={(params) => <TextField {...params} label="Where to" />} />
      <Autocomplete defaultValue="Lima" options={TOWNS} sx={{ width: 250 }} onChange={(_, value) => record('cleared', value === null)} renderInput={(params) => <TextField {...params} label="Home" />} />
      <Autocomplete multiple defaultValue={['Lima', 'Lille']} options={TOWNS} sx={{ width: 400 }} onChange={(_, value) => record('untag', value)} renderInput={(params) => <TextField {...params} label="Visited" />} />
      <FormControlLabel control={<Checkbox onChange={(_, value) => record('checkbox', value)} />} label="Gift wrap" />
      <FormControlLabel control={<Checkbox defaultChecked indeterminate={drinks.length === 1} onChange={(_, value) => record('parent', value)} />} label="All drinks" />
      <FormControlLabel control={<Checkbox onChange={(_, value) => { setDrinks(value ? ['Tea'] : []); record('child', value); }} />} label="Tea" />
      <FormControlLabel control={<Switch onChange={(_, value) => record('switch', value)} />} label="Dark mode" />
      <div><Slider value={share} getAriaLabel={(index) => ['From', 'To'][index]} sx={{ width: 300 }} onChange={(_, value) => setShare(value)} onChangeCommitted={(_, value) => record('range', value)} /></div>
      <div><Slider aria-label="Warmth" defaultValue={20} step={10} marks min={0} max={100} orientation="vertical" sx={{ height: 120 }} onChangeCommitted={(_, value) => record('marks', value)} /></div>
      <LocalizationProvider dateAdapter={AdapterDayjs}>
        <DatePicker label="Departure" defaultValue={dayjs('2026-03-10')} onChange={format('typed', 'YYYY-MM-DD')} />
        <TimePicker label="Alarm" defaultValue={dayjs('2026-03-10T08:00')} onChange={format('time', 'HH:mm')} />
        <TimePicker label="Bell" defaultValue={dayjs('2026-03-10T08:00')} onChange={format('clock', 'HH:mm')} />
        <DateTimePicker label="Meeting" defaultValue={dayjs('2026-03-10T08:00')} onChange={format('datetime', 'YYYY-MM-DD HH:mm')} />
      </LocalizationProvider>
    </section>
  );
}

function Buttons() {
  const [tags, setTags] = React.useState(['Cat', 'Dog', 'Owl']);
  const [styles, setStyles] = React.useState([]);
  const [hinted, setHinted] = React.useState(true);
  const [anchor, setAnchor] = React.useState(null);
  const [split, setSplit] = React.useState(null);
  const [place, setPlace] = React.useState(null);
  const [waiting, setWaiting] = React.useState(false);
  return (
    <section>
      <h2>Buttons</h2>
      <Button variant="contained" onClick={() => record('button', 'saved')}>Save</Button>
      <Button onDoubleClick={() => record('double', 'twice')}>Twice</Button>
      <Fab aria-label="add" onClick={() => record('fab', 'added')}>+</Fab>
      <IconButton aria-label="delete" onClick={() => record('icon', 'deleted')}><Badge badgeContent={4}><X /></Badge></IconButton>
      <ButtonGroup><Button onClick={() => record('split', 'merged')}>Merge</Button><Button aria-label="other ways" onClick={(event) => setSplit(event.currentTarget)}>v</Button></ButtonGroup>
      <Menu anchorEl={split} open={Boolean(split)} onClose={() => setSplit(null)}><MenuItem onClick={() => { setSplit(null); record('split', 'squashed'); }}>Squash</MenuItem></Menu>
      <ToggleButtonGroup value={styles} onChange={(_, value) => { setStyles(value); record('toggles', value); }}><ToggleButton value="bold">Bold</ToggleButton><ToggleButton value="italic">Italic</ToggleButton></ToggleButtonGroup>
      {tags.map((tag) => <Chip key={tag} label={tag} onDelete={() => { setTags(tags.filter((each) => each !== tag)); record('chip', tag); }} />)}
      <Chip label="Filter" onClick={() => record('pick', 'filter')} avatar={<Avatar>F</Avatar>} />
      <Tooltip title="Nobody else sees this"><Button onMouseEnter={() => record('tooltip', 'over')}>Private</Button></Tooltip>
      <Button onClick={(event) => setAnchor(event.currentTarget)}>Details</Button>
      <Popover open={Boolean(anchor)} anchorEl={anchor} onClose={() => { setAnchor(null); record('popover', 'closed'); }}><p>It weighs two pounds.</p></Popover>
      <div style={{ padding: 16, border: '1px solid' }} onContextMenu={(event) => { event.preventDefault(); setPlace([event.clientX, event.clientY]); }}>Right-click here</div>
      <Menu open={place !== null} onClose={() => setPlace(null)} anchorReference="anchorPosition" anchorPosition={place ? { left: place[0], top: place[1] } : undefined}>
        {['Copy', 'Print'].map((name) => <MenuItem key={name} onClick={() => { setPlace(null); record('context', name); }}>{name}</MenuItem>)}
      </Menu>
      <SpeedDial ariaLabel="share" icon={<span>*</span>} direction="right">{['Mail', 'Fax'].map((name) => <SpeedDialAction key={name} icon={<X />} slotProps={{ tooltip: { title: name } }} onClick={() => record('dial', name)} />)}</SpeedDial>
      {hinted && <Alert severity="info" onClose={() => { setHinted(false); record('alert', 'closed'); }}>Read this once.</Alert>}
      <Button onClick={() => setWaiting(true)}>Wait</Button>
      <Backdrop open={waiting} sx={{ zIndex: 2000 }} onClick={() => { setWaiting(false); record('backdrop', 'left'); }}>Please wait</Backdrop>
    </section>
  );
}

function Places() {
  const [open, setOpen] = React.useState(false);
  const [chosen, setChosen] = React.useState([]);
  const [step, setStep] = React.useState(0);
  const [slide, setSlide] = React.useState(0);
  const [tab, setTab] = React.useState(0);
  const [drawer, setDrawer] = React.useState(false);
  const [size, setSize] = React.useState(5);
  const toggle = (name) => { const next = chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]; setChosen(next); record('rows', next); };
  return (
    <section>
      <h2>Places</h2>
      <AppBar position="static"><Tabs value={tab} variant="scrollable" scrollButtons textColor="inherit" sx={{ width: 300 }} onChange={(_, value) => { setTab(value); record('tabs', value); }}>{['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((name) => <Tab key={name} label={`Part ${name}`} />)}</Tabs></AppBar>
      <Breadcrumbs><Link href="#home" onClick={() => record('crumb', 'home')}>Home</Link><Link href="#shop" onClick={() => record('crumb', 'shop')}>Shop</Link><span>Here</span></Breadcrumbs>
      <List sx={{ width: 240 }}>
        <ListItemButton onClick={() => { setOpen(!open); record('fold', !open); }}><ListItemText primary="Inbox" /></ListItemButton>
        <Collapse in={open}><ListItemButton sx={{ pl: 4 }} onClick={() => record('nested', 'starred')}><ListItemText primary="Starred" /></ListItemButton></Collapse>
        <ListItem secondaryAction={<IconButton aria-label="remove Ada" onClick={() => record('action', 'ada')}><X /></IconButton>}><ListItemText primary="Ada" /></ListItem>
      </List>
      <Card sx={{ width: 200 }}><CardActionArea onClick={() => record('card', 'lizard')}><CardContent>Lizards live everywhere.</CardContent></CardActionArea></Card>
      <Stepper nonLinear activeStep={step}>{['Select', 'Create', 'Publish'].map((name, at) => <Step key={name}><StepButton onClick={() => { setStep(at); record('stepper', at); }}>{name}</StepButton></Step>)}</Stepper>
      <MobileStepper variant="dots" steps={4} position="static" activeStep={slide} nextButton={<Button onClick={() => { setSlide(slide + 1); record('slides', slide + 1); }}>Onward</Button>} backButton={<Button disabled={slide === 0} onClick={() => setSlide(slide - 1)}>Backward</Button>} />
      <Button onClick={() => setDrawer(true)}>Show sheet</Button>
      <SwipeableDrawer anchor="bottom" open={drawer} onOpen={() => setDrawer(true)} onClose={() => { setDrawer(false); record('sheet', 'closed'); }}><p>What the sheet says.</p></SwipeableDrawer>
      <SimpleTreeView onExpandedItemsChange={(_, ids) => record('expand', ids)} multiSelect checkboxSelection onSelectedItemsChange={(_, ids) => record('trees', ids)}>
        <TreeItem itemId="fruit" label="Fruit"><TreeItem itemId="apple" label="Apple" /><TreeItem itemId="pear" label="Pear" /></TreeItem>
      </SimpleTreeView>
      <Table size="small"><TableHead><TableRow><TableCell /><TableCell>Name</TableCell></TableRow></TableHead>
        <TableBody>{['Tea', 'Coffee', 'Cocoa'].map((name) => <TableRow key={name} hover selected={chosen.includes(name)}><TableCell padding="checkbox"><Checkbox checked={chosen.includes(name)} onChange={() => toggle(name)} slotProps={{ input: { 'aria-label': `choose ${name}` } }} /></TableCell><TableCell>{name}</TableCell></TableRow>)}</TableBody>
      </Table>
      <TablePagination component="div" count={40} page={0} rowsPerPage={size} rowsPerPageOptions={[5, 10, 25]} onPageChange={() => {}} onRowsPerPageChange={(event) => { setSize(Number(event.target.value)); record('size', Number(event.target.value)); }} />
    </section>
  );
}

createRoot(document.getElementById('root')).render(<><h1>Material UI, more of it</h1><Fields /><Buttons /><Places /></>);
