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

await first.save('why', 'It grows over some lines. '.repeat(20))
await first.save('sure', true)
const rows = await fresh()
assert.deepEqual(rows.map(({ id }) => id), ['s', 'why', 'more', 'sure'], 'an answer shows a row')
assert.deepEqual(first.places(), rows, 'and deltas end where a fresh layout does')
const key = crypto.randomUUID()
await first.save('why', 'Short again.', key)
await assert.rejects(second.save('why', 'From a second window.'), problem => {
  return problem.status === 412 && problem.current.value === 'Short again.' && problem.sent.value === 'From a second window.'
}, 'a stale write gets both values')
assert.equal(await following, 'AbortError')
assert.deepEqual(seen, ['why', 'sure', 'why'], 'the other window is told of each change')
assert.deepEqual(second.places(), await fresh(), 'and has the same rows')
const other = { fingerprint: 'of another viewport', removed: ['why'], inserted: [], changed: [] }
assert.equal(first.take(other), false, 'heights of another viewport are not mixed in')
assert.equal(first.rows.length, 4)
console.log('as the guide says')
