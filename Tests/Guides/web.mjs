// Runs the code of docs/web.md against a service: two windows of one form.
//
//   node web.mjs GUIDE URL      the service has the evaluation "e" of a kit with the questions why, more (shown by sure) and sure

import assert from 'node:assert/strict'

const [guide, service] = process.argv.slice(2)
// Node 18 has it, but not under the name that browsers give it.
globalThis.crypto ??= (await import('node:crypto')).webcrypto
const { Form } = await import(guide)
const viewport = 'profile=web&width=640&scale=2'
const first = new Form(service, 'e', viewport)
const second = new Form(service, 'e', viewport)
await first.open()
await second.open()

async function fresh() {
  const reply = await fetch(`${service}/v1/evaluations/e/layout?${viewport}`)
  return (await reply.json()).rows.map(({ id, y, height }) => ({ id, y, height }))
}

assert.deepEqual(first.places(), await fresh(), 'rows stand where the service says')
const stop = new AbortController()
const seen = []
const following = second.follow(change => {
  seen.push(change.itemId)
  if (seen.length === 3) stop.abort()
}, stop.signal).catch(error => error.name)

async function write(form, id, value, key) {
  form.type(id, value)
  return form.save(id, key)
}
/** Waits until a form was told of a revision of an answer, and has read what it was to read. */
async function shows(form, id, value) {
  for (let turn = 0; turn < 500 && form.value(id) !== value; turn++) await new Promise(next => setTimeout(next, 10))
  assert.equal(form.value(id), value, `${id} is shown as it was written elsewhere`)
}

await write(first, 'why', 'It grows over some lines. '.repeat(20))
await write(first, 'sure', true)
const rows = await fresh()
assert.deepEqual(rows.map(({ id }) => id), ['s', 'why', 'more', 'sure'], 'an answer shows a row')
assert.deepEqual(first.places(), rows, 'and deltas end where a fresh layout does')
await shows(second, 'sure', true)
// Typing that began before another window wrote has not seen what it wrote, whatever comes until it is saved.
second.type('why', 'From a second window.')
await write(first, 'why', 'Short again.')
assert.equal(await following, 'AbortError')
assert.deepEqual(seen, ['why', 'sure', 'why'], 'the other window is told of each change')
assert.equal(second.value('why'), 'From a second window.', 'and what is typed there is not replaced')
let refused
await assert.rejects(second.save('why'), problem => {
  refused = problem
  return problem.status === 412 && problem.current.value === 'Short again.' && problem.sent.value === 'From a second window.'
}, 'a stale write gets both values')
second.resolve('why', refused.current, true)
await second.save('why')
assert.equal((await first.ask('GET', '/v1/evaluations/e/answers/why')).value, 'From a second window.', 'mine is kept')
first.type('why', 'From the first.')
await assert.rejects(first.save('why'), problem => (refused = problem).status === 412)
first.resolve('why', refused.current, false)
assert.equal(first.value('why'), 'From a second window.', 'theirs is taken')

// Each edit after another window's is on what it wrote: no conflict, and no text that nobody saw is gone.
const end = new AbortController()
const both = [first, second].map(form => form.follow(() => {}, end.signal).catch(error => error.name))
for (const [form, other, text] of [[first, second, 'One.'], [second, first, 'One. Two.'], [first, second, 'One. Two. Three.']]) {
  await write(form, 'why', text)
  await shows(other, 'why', text)
}
// Where another was first, and a comment of his.
second.type('more', 'Typed here first.')
await first.ask('PUT', '/v1/evaluations/e/answers/more', { value: 'Elsewhere.', comment: 'Said twice.' }, { 'If-Match': '"0"' })
await assert.rejects(second.save('more'), problem => (refused = problem).status === 412, 'a first write that is none is refused')
second.resolve('more', refused.current, true)
await second.save('more')
assert.equal(second.answers.get('more').comment, 'Said twice.', 'a comment stays as it is')
await shows(first, 'more', 'Typed here first.')
await assert.rejects(first.ask('PUT', '/v1/evaluations/e/answers/more', { value: 'Blind.' }), problem => {
  return problem.status === 428 && problem.current.value === 'Typed here first.' && problem.sent.value === 'Blind.'
}, 'a write that says nothing of what it saw gets both values, too')
const clear = { 'If-Match': `"${second.revision('more')}"` }
assert.equal(await second.ask('DELETE', '/v1/evaluations/e/answers/more', undefined, clear), null, 'an answer is cleared')
await shows(first, 'more', null)
end.abort()
assert.deepEqual(await Promise.all(both), ['AbortError', 'AbortError'])

// Typing that begins while news is read has not seen it.
await write(second, 'why', 'Four.')
first.told.set('why', second.revision('why'))
const reading = first.news()
first.type('why', 'Typed meanwhile.')
assert.deepEqual(await reading, [], 'news is not shown over typing')
await assert.rejects(first.save('why'), problem => problem.status === 412, 'nor written over')
assert.deepEqual(second.places(), await fresh(), 'and has the same rows')
const other = { fingerprint: 'of another viewport', removed: ['why'], inserted: [], changed: [] }
assert.equal(first.take(other), false, 'heights of another viewport are not mixed in')
assert.equal(first.rows.length, 4)
console.log('as the guide says')
