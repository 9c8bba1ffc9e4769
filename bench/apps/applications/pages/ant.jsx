import * as React from 'react';
import { createRoot } from 'react-dom/client';
import {
  App, AutoComplete, Button, Cascader, Checkbox, Collapse, DatePicker, Drawer, Dropdown, Form, Input, InputNumber,
  Mentions, Menu, Modal, Pagination, Popconfirm, Radio, Rate, Segmented, Select, Slider, Steps, Switch, Table, Tabs, TimePicker,
  Transfer, Tree, TreeSelect, Upload,
} from 'antd';
import dayjs from 'dayjs';
import { record } from './record.js';

const MARCH = dayjs('2026-03-10');
const told = (control) => (value) => record(control, value);
const option = (name) => ({ value: name, label: name });
const TREE = [
  { title: 'Fruit', key: 'Fruit', value: 'Fruit', children: ['Apple', 'Pear'].map((name) => ({ title: name, key: name, value: name })) },
  { title: 'Vegetables', key: 'Vegetables', value: 'Vegetables', children: ['Carrot', 'Leek'].map((name) => ({ title: name, key: name, value: name })) },
];
const PEOPLE = Array.from({ length: 12 }, (_, n) => ({
  key: n, name: ['Ada', 'Brian', 'Charles', 'Dennis', 'Edsger', 'Frances', 'Grace', 'Hedy', 'Ivan', 'John', 'Ken', 'Linus'][n], age: 20 + ((n * 7) % 12),
}));

function Fields() {
  return (
    <Form layout="vertical" initialValues={{ amount: 3, volume: 30, view: 'Daily' }}>
      <Form.Item label="Full name" name="full-name"><Input onChange={(event) => record('text', event.target.value)} /></Form.Item>
      <Form.Item label="Colour" name="colour"><Select style={{ width: 200 }} options={['Red', 'Green', 'Blue'].map(option)} onChange={told('select')} /></Form.Item>
      <Form.Item label="Skills" name="skills"><Select mode="multiple" style={{ width: 300 }} options={['Cooking', 'Sewing', 'Welding'].map(option)} onChange={told('multiple')} /></Form.Item>
      <Form.Item label="Country" name="country"><Select showSearch style={{ width: 200 }} options={['Austria', 'Belgium', 'Croatia', 'Denmark', 'Estonia'].map(option)} onChange={told('search')} /></Form.Item>
      <Form.Item label="Town" name="town"><AutoComplete style={{ width: 200 }} options={['Lisbon', 'Lima', 'Lille'].map(option)} showSearch={{ filterOption: (typed, each) => each.value.startsWith(typed) }} onSelect={told('autocomplete')} /></Form.Item>
      <Form.Item label="Place" name="place"><Cascader options={[{ ...option('Asia'), children: [option('Japan'), option('Korea')] }, { ...option('Europe'), children: [option('France'), option('Spain')] }]} onChange={told('cascader')} /></Form.Item>
      <Form.Item label="Produce" name="produce"><TreeSelect treeData={TREE} style={{ width: 200 }} onChange={told('treeselect')} /></Form.Item>
      <Form.Item label="Arrival" name="arrival"><DatePicker defaultPickerValue={MARCH} onChange={(_, text) => record('date', text)} /></Form.Item>
      <Form.Item label="Stay" name="stay"><DatePicker.RangePicker defaultPickerValue={[MARCH, MARCH]} onChange={(_, text) => record('range', text)} /></Form.Item>
      <Form.Item label="Hour" name="hour"><TimePicker format="HH:mm" onChange={(_, text) => record('time', text)} /></Form.Item>
      <Form.Item label="Amount" name="amount"><InputNumber min={0} max={10} onChange={told('number')} /></Form.Item>
      <Form.Item label="Comment" name="comment"><Mentions options={['ada', 'grace'].map(option)} onSelect={(each) => record('mention', each.value)} /></Form.Item>
      <Form.Item label="Dark mode" valuePropName="checked" name="dark-mode"><Switch onChange={told('switch')} /></Form.Item>
      <Form.Item label="Extras" name="extras"><Checkbox.Group options={['Milk', 'Sugar', 'Lemon']} onChange={told('checkbox')} /></Form.Item>
      <Form.Item label="Size" name="size"><Radio.Group options={['Small', 'Medium', 'Large']} onChange={(event) => record('radio', event.target.value)} /></Form.Item>
      <Form.Item label="View" name="view"><Segmented options={['Daily', 'Weekly', 'Monthly']} onChange={told('segmented')} /></Form.Item>
      <Form.Item label="Service" name="service"><Rate onChange={told('rating')} /></Form.Item>
      <Form.Item label="Volume" name="volume"><Slider style={{ width: 300 }} onChangeComplete={told('slider')} /></Form.Item>
      <Form.Item label="Papers" valuePropName="file" name="papers"><Upload beforeUpload={() => false} onChange={(info) => record('upload', info.file.name)}><Button>Choose a file</Button></Upload></Form.Item>
    </Form>
  );
}

function Overlays() {
  const { message, notification } = App.useApp();
  const [modal, setModal] = React.useState(false);
  const [drawer, setDrawer] = React.useState(false);
  const answer = (value) => { setModal(false); record('dialog', value); };
  return (
    <section>
      <h2>Overlays</h2>
      <Button onClick={() => setModal(true)}>Open modal</Button>
      <Modal title="Basic modal" open={modal} onOk={() => answer('ok')} onCancel={() => answer('cancel')}><p>Some contents.</p></Modal>
      <Button onClick={() => setDrawer(true)}>Open drawer</Button>
      <Drawer title="Basic drawer" open={drawer} onClose={() => { setDrawer(false); record('drawer', 'closed'); }}><p>Drawer contents.</p></Drawer>
      <Dropdown menu={{ items: ['Profile', 'Settings', 'Log out'].map((name) => ({ key: name, label: name })), onClick: ({ key }) => record('menu', key) }}><Button>Account</Button></Dropdown>
      <Popconfirm title="Delete the task?" onConfirm={() => record('confirm', 'deleted')} okText="Yes" cancelText="No"><Button danger>Delete</Button></Popconfirm>
      <Button onClick={() => { message.success('Saved the draft'); record('message', 'shown'); }}>Save draft</Button>
      <Button onClick={() => { notification.open({ title: 'Build finished', description: 'Nine tests passed.' }); record('notification', 'shown'); }}>Notify</Button>
    </section>
  );
}

function Navigation() {
  const [step, setStep] = React.useState(0);
  const [right, setRight] = React.useState([]);
  return (
    <section>
      <h2>Navigation</h2>
      <Menu mode="horizontal" onClick={({ key }) => record('navigation', key)} items={[{ key: 'Mail', label: 'Mail' }, { key: 'More', label: 'More', children: [{ key: 'Calls', label: 'Calls' }, { key: 'Notes', label: 'Notes' }] }]} />
      <Tabs onChange={told('tab')} items={['Overview', 'Billing', 'Members'].map((name) => ({ key: name, label: name, children: `All about ${name.toLowerCase()}.` }))} />
      <Steps current={step} onChange={(to) => { setStep(to); record('step', to); }} items={['Login', 'Verify', 'Pay'].map((title) => ({ title }))} />
      <Collapse onChange={told('collapse')} items={[{ key: 'shipping', label: 'Shipping', children: <p>Takes three days.</p> }]} />
      <Tree checkable treeData={TREE} onCheck={told('tree')} onExpand={told('expand')} />
      <Transfer titles={['Source', 'Target']} dataSource={['Tea', 'Coffee', 'Cocoa'].map((name) => ({ key: name, title: name }))} targetKeys={right} render={(item) => item.title} onChange={(keys) => { setRight(keys); record('transfer', keys); }} />
      <Pagination total={50} onChange={told('pagination')} />
    </section>
  );
}

function People() {
  return (
    <section>
      <h2>People</h2>
      <Table size="small" rowSelection={{ onChange: told('selection') }} pagination={{ pageSize: 5 }} dataSource={PEOPLE}
        columns={[{ title: 'Name', dataIndex: 'name' }, { title: 'Age', dataIndex: 'age', sorter: (a, b) => a.age - b.age }]}
        onChange={(page, _, sorter, { action }) => record(action, action === 'sort' ? sorter.order : page.current)} />
    </section>
  );
}

createRoot(document.getElementById('root')).render(<App><h1>Ant Design</h1><Fields /><Overlays /><Navigation /><People /></App>);
