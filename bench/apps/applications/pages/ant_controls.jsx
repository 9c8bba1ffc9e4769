import * as React from 'react';
import { createRoot } from 'react-dom/client';
import {
  Alert, Anchor, App, Breadcrumb, Button, Calendar, Card, Carousel, Cascader, Checkbox, ColorPicker, DatePicker, Dropdown, FloatButton, Form, Image, Input,
  InputNumber, List, Menu, Popover, Radio, Select, Slider, Space, Splitter, Switch, Table, Tabs, Tag, TimePicker, Tooltip, Tour, Tree, TreeSelect,
  Typography, Upload,
} from 'antd';
import dayjs from 'dayjs';
import { record } from './record.js';

const told = (control) => (value) => record(control, value);
const option = (name) => ({ value: name, label: name });
const leaf = (name) => ({ title: name, key: name, value: name });
const TREE = [{ ...leaf('Fruit'), children: ['Apple', 'Pear'].map(leaf) }, { ...leaf('Vegetables'), children: ['Leek'].map(leaf) }];
const MARCH = dayjs('2026-03-10');
const PIXEL = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><rect width="80" height="60" fill="green"/></svg>';

function Fields() {
  return (
    <Form layout="vertical" initialValues={{ amount: 3, span: [20, 60], colour: '#1677ff', visited: ['Lima', 'Lille'], home: 'Lima' }}>
      <Form.Item label="Notes" name="notes"><Input.TextArea onChange={(event) => record('textarea', event.target.value)} /></Form.Item>
      <Form.Item label="Query" name="query"><Input.Search enterButton onSearch={told('search')} /></Form.Item>
      <Form.Item label="Passphrase" name="passphrase"><Input.Password visibilityToggle={{ onVisibleChange: told('reveal') }} /></Form.Item>
      <Form.Item label="Code" name="code"><Input.OTP length={4} onChange={told('otp')} /></Form.Item>
      <Form.Item label="Alias" name="alias" initialValue="ada"><Input allowClear onChange={(event) => record('clear', event.target.value)} /></Form.Item>
      <Form.Item label="Amount" name="amount"><InputNumber mode="spinner" min={0} max={10} onChange={told('spinner')} /></Form.Item>
      <Form.Item label="Span" name="span"><Slider range style={{ width: 300 }} onChangeComplete={told('range')} /></Form.Item>
      <Form.Item label="Visited" name="visited"><Select mode="multiple" style={{ width: 300 }} options={['Lima', 'Lille', 'Lisbon'].map(option)} onChange={told('untag')} /></Form.Item>
      <Form.Item label="Labels" name="labels"><Select mode="tags" style={{ width: 300 }} onChange={told('tags')} /></Form.Item>
      <Form.Item label="Home" name="home"><Select allowClear style={{ width: 200 }} options={['Lima', 'Lille'].map(option)} onClear={() => record('cleared', true)} /></Form.Item>
      <Form.Item label="Region" name="region"><Cascader multiple options={[{ ...option('Asia'), children: [option('Japan'), option('Korea')] }]} onChange={told('cascader')} /></Form.Item>
      <Form.Item label="Produce" name="produce"><TreeSelect treeData={TREE} treeCheckable style={{ width: 250 }} onChange={told('treecheck')} /></Form.Item>
      <Form.Item label="Moment" name="moment"><DatePicker showTime format="YYYY-MM-DD HH:mm" defaultPickerValue={MARCH} onChange={(_, text) => record('datetime', text)} /></Form.Item>
      <Form.Item label="Month" name="month"><DatePicker picker="month" defaultPickerValue={MARCH} onChange={(_, text) => record('month', text)} /></Form.Item>
      <Form.Item label="Alarm" name="alarm"><TimePicker format="HH:mm" minuteStep={15} onChange={(_, text) => record('clock', text)} /></Form.Item>
      <Form.Item label="Paint" name="colour"><ColorPicker showText onChangeComplete={(colour) => record('colour', colour.toHexString())} /></Form.Item>
      <Form.Item label="Plan"><Radio.Group optionType="button" options={['Free', 'Paid']} onChange={(event) => record('radio', event.target.value)} /></Form.Item>
      <Form.Item label="Papers"><Upload beforeUpload={() => false} onChange={(info) => record('upload', info.file.name)} onRemove={(file) => record('removed', file.name)}><Button>Choose a file</Button></Upload></Form.Item>
      <Form.Item label="Scans"><Upload.Dragger beforeUpload={() => false} onChange={(info) => record('dragger', info.file.name)}><p>Drop scans here</p></Upload.Dragger></Form.Item>
      <Checkbox onChange={(event) => record('checkbox', event.target.checked)}>Agree</Checkbox>
      <Switch aria-label="Sound" checkedChildren="on" unCheckedChildren="off" onChange={told('switch')} />
    </Form>
  );
}

function Buttons() {
  const { modal } = App.useApp();
  const [tour, setTour] = React.useState(false);
  const [tags, setTags] = React.useState(['Cat', 'Dog', 'Owl']);
  const [liked, setLiked] = React.useState(false);
  const [title, setTitle] = React.useState('Draft');
  const target = React.useRef(null);
  return (
    <section>
      <h2>Buttons</h2>
      <Button type="primary" ref={target} onClick={() => record('button', 'saved')}>Save</Button>
      <Space.Compact><Button onClick={() => record('split', 'merged')}>Merge</Button><Dropdown trigger={['click']} menu={{ items: [{ key: 'squash', label: 'Squash' }], onClick: ({ key }) => record('split', key) }}><Button aria-label="other ways">v</Button></Dropdown></Space.Compact>
      <Tooltip title="Nobody else sees this"><Button onMouseEnter={() => record('tooltip', 'over')}>Private</Button></Tooltip>
      <Popover trigger="click" title="Weight" content="Two pounds." onOpenChange={(open) => open && record('popover', open)}><Button>Details</Button></Popover>
      <Dropdown trigger={['contextMenu']} menu={{ items: ['Copy', 'Print'].map((name) => ({ key: name, label: name })), onClick: ({ key }) => record('context', key) }}><div style={{ padding: 16, border: '1px solid' }}>Right-click here</div></Dropdown>
      <Button onClick={() => modal.confirm({ title: 'Leave now?', onOk: () => record('confirm', 'ok') })}>Leave</Button>
      <Button onClick={() => setTour(true)}>Tour</Button>
      <Tour open={tour} onClose={() => setTour(false)} onFinish={() => { setTour(false); record('tour', 'finished'); }} steps={[{ title: 'First', target: () => target.current }, { title: 'Second', target: () => target.current }]} />
      {tags.map((tag) => <Tag key={tag} closable onClose={(event) => { event.preventDefault(); setTags(tags.filter((each) => each !== tag)); record('tag', tag); }}>{tag}</Tag>)}
      <Tag.CheckableTag checked={liked} onChange={(value) => { setLiked(value); record('checkable', value); }}>Likes</Tag.CheckableTag>
      <Alert closable={{ onClose: () => record('alert', 'closed') }} title="Read this once." />
      <Typography.Paragraph copyable={{ text: 'abc', onCopy: () => record('copy', 'abc') }}>Copy me</Typography.Paragraph>
      <Typography.Paragraph editable={{ onChange: (value) => { setTitle(value); record('editable', value); } }}>{title}</Typography.Paragraph>
      <Image width={80} alt="a green field" src={PIXEL} preview={{ onOpenChange: told('image'), onVisibleChange: told('image') }} />
      <FloatButton.Group trigger="click" icon={<b>*</b>}><FloatButton aria-label="call us" icon={<b>c</b>} onClick={() => record('float', 'call')} /></FloatButton.Group>
    </section>
  );
}

function Places() {
  const [panes, setPanes] = React.useState(['One', 'Two']);
  return (
    <section>
      <h2>Places</h2>
      <Breadcrumb items={[{ title: <a href="#home" onClick={() => record('crumb', 'home')}>Home</a> }, { title: 'Here' }]} />
      <Anchor affix={false} onClick={(event, link) => { event.preventDefault(); record('anchor', link.title); }} items={[{ key: 'a', href: '#a', title: 'Basics' }, { key: 'b', href: '#b', title: 'Extras' }]} />
      <Menu mode="inline" style={{ width: 200 }} onClick={({ key }) => record('inline', key)} items={[{ key: 'sub', label: 'Orders', children: [{ key: 'open', label: 'Open ones' }, { key: 'done', label: 'Done ones' }] }]} />
      <Tabs type="editable-card" onEdit={(key, action) => { record(`tab ${action}`, action === 'add' ? 'new' : key); setPanes(action === 'add' ? [...panes, 'Three'] : panes.filter((each) => each !== key)); }} items={panes.map((name) => ({ key: name, label: `Part ${name}`, children: name }))} />
      <Tree treeData={TREE} onExpand={told('expand')} onSelect={told('select')} />
      <Carousel arrows afterChange={told('carousel')} style={{ width: 300 }}>{['First', 'Second', 'Third'].map((name) => <div key={name}><h3>{name} slide</h3></div>)}</Carousel>
      <Splitter style={{ height: 80, width: 400 }} onResizeEnd={(sizes) => record('splitter', sizes[0] > 200)}><Splitter.Panel defaultSize={200}>Left</Splitter.Panel><Splitter.Panel>Right</Splitter.Panel></Splitter>
      <Calendar fullscreen={false} defaultValue={MARCH} onSelect={(date) => record('calendar', date.format('YYYY-MM-DD'))} />
      <Table size="small" pagination={{ pageSize: 2, showSizeChanger: true, pageSizeOptions: [2, 4], showQuickJumper: true }} dataSource={['Tea', 'Coffee', 'Cocoa', 'Milk'].map((name, key) => ({ key, name, kind: key % 2 ? 'black' : 'white' }))}
        expandable={{ expandedRowRender: (row) => <p>All about {row.name}.</p>, onExpand: (open, row) => record('row', open && row.name) }}
        columns={[{ title: 'Drink', dataIndex: 'name' }, { title: 'Kind', dataIndex: 'kind', filters: [{ text: 'Black', value: 'black' }, { text: 'White', value: 'white' }], onFilter: (value, row) => row.kind === value }]}
        onChange={(page, filters, _, { action }) => record(action, action === 'filter' ? filters.kind : [page.current, page.pageSize])} />
    </section>
  );
}

createRoot(document.getElementById('root')).render(<App><h1>Ant Design, more of it</h1><Fields /><Buttons /><Places /></App>);
