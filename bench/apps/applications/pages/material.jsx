import * as React from 'react';
import { createRoot } from 'react-dom/client';
import {
  Accordion, AccordionDetails, AccordionSummary, Autocomplete, BottomNavigation, BottomNavigationAction, Box, Button,
  Checkbox, Chip, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle, Drawer, FormControl,
  FormControlLabel, FormLabel, InputLabel, List, ListItemButton, ListItemText, Menu, MenuItem, Pagination, Radio,
  RadioGroup, Rating, Select, Slider, Snackbar, Step, StepLabel, Stepper, Switch, Tab, Table, TableBody, TableCell,
  TableHead, TablePagination, TableRow, TableSortLabel, Tabs, TextField, ToggleButton, ToggleButtonGroup,
} from '@mui/material';
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { DatePicker } from '@mui/x-date-pickers/DatePicker';
import { SimpleTreeView } from '@mui/x-tree-view/SimpleTreeView';
import { TreeItem } from '@mui/x-tree-view/TreeItem';
import dayjs from 'dayjs';
import { record } from './record.js';

const FILMS = ['The Godfather', 'Pulp Fiction', 'Fight Club', 'Forrest Gump', 'Inception', 'Goodfellas', 'Se7en'];
const DESSERTS = [
  ['Cupcake', 305], ['Donut', 452], ['Eclair', 262], ['Frozen yoghurt', 159], ['Gingerbread', 356], ['Honeycomb', 408],
  ['Ice cream sandwich', 237], ['Jelly Bean', 375], ['KitKat', 518], ['Lollipop', 392], ['Marshmallow', 318],
  ['Nougat', 360], ['Oreo', 437],
].map(([name, calories]) => ({ name, calories }));

function Section({ title, children }) {
  return <Box component="section" sx={{ my: 3 }}><h2>{title}</h2>{children}</Box>;
}

function Fields() {
  const [age, setAge] = React.useState('');
  const [size, setSize] = React.useState('medium');
  return (
    <Section title="Fields">
      <TextField label="Full name" onChange={(event) => record('text', event.target.value)} />
      <FormControl sx={{ minWidth: 120, mx: 2 }}>
        <InputLabel id="age">Age</InputLabel>
        <Select labelId="age" label="Age" value={age} onChange={(event) => { setAge(event.target.value); record('select', event.target.value); }}>
          <MenuItem value={10}>Ten</MenuItem><MenuItem value={20}>Twenty</MenuItem><MenuItem value={30}>Thirty</MenuItem>
        </Select>
      </FormControl>
      <Autocomplete options={FILMS} sx={{ width: 300, my: 2 }} onChange={(_, value) => record('autocomplete', value)}
        renderInput={(params) => <TextField {...params} label="Film" />} />
      <Autocomplete multiple options={FILMS} sx={{ width: 500 }} onChange={(_, value) => record('tags', value)}
        renderInput={(params) => <TextField {...params} label="Favourites" />} />
      <FormControlLabel control={<Checkbox onChange={(_, value) => record('checkbox', value)} />} label="Gift wrap" />
      <FormControlLabel control={<Switch onChange={(_, value) => record('switch', value)} />} label="Dark mode" />
      <FormControl>
        <FormLabel id="size">Size</FormLabel>
        <RadioGroup row aria-labelledby="size" value={size} onChange={(_, value) => { setSize(value); record('radio', value); }}>
          <FormControlLabel value="small" control={<Radio />} label="Small" />
          <FormControlLabel value="medium" control={<Radio />} label="Medium" />
          <FormControlLabel value="large" control={<Radio />} label="Large" />
        </RadioGroup>
      </FormControl>
      <div>
        <FormLabel component="legend">Service</FormLabel>
        <Rating name="service" defaultValue={2} onChange={(_, value) => record('rating', value)} />
      </div>
      <Slider aria-label="Volume" defaultValue={30} sx={{ width: 300 }} onChangeCommitted={(_, value) => record('slider', value)} />
      <LocalizationProvider dateAdapter={AdapterDayjs}>
        <DatePicker label="Arrival" defaultValue={dayjs('2026-03-10')} onChange={(value) => record('date', value && value.format('YYYY-MM-DD'))} />
      </LocalizationProvider>
    </Section>
  );
}

function Overlays() {
  const [dialog, setDialog] = React.useState(false);
  const [drawer, setDrawer] = React.useState(false);
  const [anchor, setAnchor] = React.useState(null);
  const [snack, setSnack] = React.useState(false);
  const answer = (value) => { setDialog(false); record('dialog', value); };
  const choose = (value) => { setAnchor(null); record('menu', value); };
  return (
    <Section title="Overlays">
      <Button variant="outlined" onClick={() => setDialog(true)}>Open dialog</Button>
      <Dialog open={dialog} onClose={() => answer('dismissed')}>
        <DialogTitle>Use location service?</DialogTitle>
        <DialogContent><DialogContentText>Let us send anonymous location data.</DialogContentText></DialogContent>
        <DialogActions><Button onClick={() => answer('disagree')}>Disagree</Button><Button onClick={() => answer('agree')} autoFocus>Agree</Button></DialogActions>
      </Dialog>
      <Button onClick={() => setDrawer(true)}>Open drawer</Button>
      <Drawer open={drawer} onClose={() => setDrawer(false)}>
        <List sx={{ width: 200 }}>
          {['Inbox', 'Starred', 'Drafts'].map((name) => (
            <ListItemButton key={name} onClick={() => { setDrawer(false); record('drawer', name); }}><ListItemText primary={name} /></ListItemButton>
          ))}
        </List>
      </Drawer>
      <Button onClick={(event) => setAnchor(event.currentTarget)}>Account</Button>
      <Menu anchorEl={anchor} open={Boolean(anchor)} onClose={() => setAnchor(null)}>
        {['Profile', 'My account', 'Logout'].map((name) => <MenuItem key={name} onClick={() => choose(name)}>{name}</MenuItem>)}
      </Menu>
      <Button onClick={() => { setSnack(true); record('snackbar', 'shown'); }}>Archive note</Button>
      <Snackbar open={snack} autoHideDuration={6000} onClose={(_, reason) => { if (reason !== 'clickaway') setSnack(false); }} message="Note archived"
        action={<Button color="secondary" size="small" onClick={() => { setSnack(false); record('snackbar', 'undone'); }}>Undo</Button>} />
    </Section>
  );
}

function Navigation() {
  const [tab, setTab] = React.useState(0);
  const [step, setStep] = React.useState(0);
  const [align, setAlign] = React.useState('left');
  const [place, setPlace] = React.useState(0);
  const [tags, setTags] = React.useState(['React', 'Angular', 'Vue']);
  return (
    <Section title="Navigation">
      <Tabs value={tab} onChange={(_, value) => { setTab(value); record('tab', value); }}><Tab label="Overview" /><Tab label="Billing" /><Tab label="Members" /></Tabs>
      <div role="tabpanel">{['Everything is fine.', 'You owe nothing.', 'Ada and Grace.'][tab]}</div>
      <Stepper activeStep={step}>{['Select campaign', 'Create ad group', 'Create an ad'].map((name) => <Step key={name}><StepLabel>{name}</StepLabel></Step>)}</Stepper>
      <Button disabled={step === 0} onClick={() => setStep(step - 1)}>Back</Button>
      <Button onClick={() => { setStep(step + 1); record('step', step + 1); }}>{step < 2 ? 'Next' : 'Finish'}</Button>
      <Accordion onChange={(_, open) => record('accordion', open)}><AccordionSummary>Shipping</AccordionSummary><AccordionDetails>Takes three days.</AccordionDetails></Accordion>
      <ToggleButtonGroup exclusive value={align} onChange={(_, value) => { if (value) setAlign(value); record('toggle', value); }}>
        <ToggleButton value="left">Left</ToggleButton><ToggleButton value="centre">Centre</ToggleButton><ToggleButton value="right">Right</ToggleButton>
      </ToggleButtonGroup>
      <Pagination count={10} onChange={(_, page) => record('pagination', page)} />
      <BottomNavigation showLabels value={place} onChange={(_, value) => { setPlace(value); record('bottom', value); }}>
        <BottomNavigationAction label="Recents" /><BottomNavigationAction label="Nearby" />
      </BottomNavigation>
      <SimpleTreeView onSelectedItemsChange={(_, id) => record('tree', id)}>
        <TreeItem itemId="grid" label="Data grid"><TreeItem itemId="community" label="Community" /><TreeItem itemId="pro" label="Pro" /></TreeItem>
        <TreeItem itemId="pickers" label="Pickers"><TreeItem itemId="static" label="Static" /></TreeItem>
      </SimpleTreeView>
      {tags.map((tag) => <Chip key={tag} label={tag} onDelete={() => { setTags(tags.filter((each) => each !== tag)); record('chip', tag); }} />)}
    </Section>
  );
}

function Desserts() {
  const [order, setOrder] = React.useState({ by: 'name', direction: 'asc' });
  const [page, setPage] = React.useState(0);
  const sign = order.direction === 'asc' ? 1 : -1;
  const rows = [...DESSERTS].sort((a, b) => sign * (a[order.by] > b[order.by] ? 1 : -1)).slice(page * 5, page * 5 + 5);
  const sort = (by) => {
    const direction = order.by === by && order.direction === 'asc' ? 'desc' : 'asc';
    setOrder({ by, direction });
    record('sort', `${by} ${direction}`);
  };
  return (
    <Section title="Desserts">
      <Table size="small">
        <TableHead><TableRow>
          {['name', 'calories'].map((by) => (
            <TableCell key={by} sortDirection={order.by === by ? order.direction : false}>
              <TableSortLabel active={order.by === by} direction={order.by === by ? order.direction : 'asc'} onClick={() => sort(by)}>{by === 'name' ? 'Dessert' : 'Calories'}</TableSortLabel>
            </TableCell>
          ))}
        </TableRow></TableHead>
        <TableBody>{rows.map((row) => <TableRow key={row.name} hover><TableCell>{row.name}</TableCell><TableCell>{row.calories}</TableCell></TableRow>)}</TableBody>
      </Table>
      <TablePagination component="div" count={DESSERTS.length} page={page} rowsPerPage={5} rowsPerPageOptions={[5]} onPageChange={(_, to) => { setPage(to); record('page', to); }} />
    </Section>
  );
}

createRoot(document.getElementById('root')).render(<><h1>Material UI</h1><Fields /><Overlays /><Navigation /><Desserts /></>);
