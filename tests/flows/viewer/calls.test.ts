import { describe, expect, test } from 'vitest';
import type { KnownPlace, Publication } from '../../../machines/model/reading/reading.ts';
import { saveViewerProgress } from '../../../src/client/library/places.ts';
import { lastPlace, viewerComponents, viewerUrl } from '../../../src/flows/viewer/calls.ts';
import { renewalAfter } from '../../../src/flows/viewer/renewal.ts';
import { json, rejection, text, world, xml } from '../../support/client/world.ts';

const least = { titleId: 't1', instanceId: 'i1', name: 'Log', medium: 'audio', sample: false };
const progressKey = { titleId: 't1', contextKey: 'audio' };
const locator = { href: 'ch1.xhtml', progression: 0.5, totalProgression: 0.1, cfi: null, label: 'One', page: null, pages: null };

test('components of a copy [S7.viewer/components]', async () => {
  const items = [
    { id: 'a', name: 'One', durationSeconds: 12 },
    {
      id: 'b',
      name: 'Two',
      captions: [
        { url: '/media/x/b.vtt', language: 'en' },
        { url: 'javascript:x', language: 'fr' },
      ],
    },
  ];
  const { api, asked } = world([json({ ...least, items })]);
  expect(await viewerComponents(api, { instanceId: 'i1' })).toEqual({
    ...least,
    items: [
      { id: 'a', name: 'One', url: '', durationSeconds: 12, captions: [] },
      {
        id: 'b',
        name: 'Two',
        url: '',
        durationSeconds: null,
        captions: [{ url: 'https://shop.test/media/x/b.vtt', language: 'en' }],
      },
    ],
  });
  expect(asked[0]?.query).toEqual({ instanceid: 'i1', shelfid: 'demo' });
});

test('components of a sample', async () => {
  const { api, asked } = world([json({ ...least, sample: true, items: [{ id: 'a', name: 'One' }] })]);
  expect((await viewerComponents(api, { titleId: 't1', sample: true })).sample).toBe(true);
  expect(asked[0]?.query).toEqual({ instanceid: 't1', sample: 'true', shelfid: 'demo' });
});

test('the instance id of a sample opens a sample, though the address says nothing of it', async () => {
  const { api } = world([json({ ...least, instanceId: 'sample-t1', sample: true, items: [{ id: 'a', name: 'One' }] })]);
  expect(await viewerComponents(api, { instanceId: 'sample-t1' })).toMatchObject({ instanceId: 'sample-t1', sample: true });
});

test.each([
  ['items.0.id', { ...least, items: [{ id: '', name: 'x' }] }],
  ['medium', { ...least, medium: 'scroll', items: [{ id: 'a', name: 'x' }] }],
])('components with wrong %s', async (field, answer) => {
  const problem = await rejection(viewerComponents(world([json(answer)]).api, { instanceId: 'i1' }));
  expect(problem).toMatchObject({ kind: 'malformed', call: 'viewer/components', field });
});

test.each([
  ['as a bare list', [{ Id: 'a', Name: 'One' }], [{ id: 'a', name: 'One' }]],
  ['without items', { name: 'Log', medium: 'epub', titleId: 't1' }, [{ id: 'i1', name: 'Log' }]],
])('components %s', async (_, answer, items) => {
  const title = xml('<Title><TitleId>t1</TitleId><Name>Log</Name></Title>');
  const library = xml(
    '<Purchases><Purchase><InstanceId>i1</InstanceId><Title><TitleId>t1</TitleId><Name>Log</Name></Title></Purchase></Purchases>',
  );
  const { api } = world(Array.isArray(answer) ? [json(answer), library] : [json(answer), title]);
  expect((await viewerComponents(api, { instanceId: 'i1' })).items).toMatchObject(items);
});

test('an address of content that comes alone', async () => {
  const { api } = world([new Response('https://media.test/one.epub\n')]);
  const opened = await viewerUrl(api, { instanceId: 'i1', itemId: 'a', sample: false });
  expect(opened).toEqual({ url: 'https://media.test/one.epub', expiresIn: null });
});

test('a title that is not owned', async () => {
  const { api } = world([json({ error: 'Not yours', status: 403, code: 'not_owned' }, 403)]);
  expect(await rejection(viewerComponents(api, { instanceId: 'i1' }))).toEqual({
    kind: 'refused',
    code: 'not_owned',
    message: 'Not yours',
  });
});

test('an executable address of content is malformed', async () => {
  const { api } = world([json({ url: 'javascript:x', expiresAt: 'x' })]);
  const problem = await rejection(viewerUrl(api, { instanceId: 'i1', itemId: 'a', sample: true }));
  expect(problem).toMatchObject({ kind: 'malformed', call: 'viewer/url', field: 'url' });
});

describe('addresses of another maker', () => {
  test.each([
    ['in half a day', 43_200, 43_200],
    ['in no time at all, which nobody means', 0, null],
    ['in the past', -5, null],
    ['never', null, null],
    ['in words', 'tomorrow', null],
  ])('that expire %s', async (_, expiresIn, expected) => {
    const { api } = world([json({ url: '/media/x/one.mp3', expiresIn })]);
    const address = await viewerUrl(api, { instanceId: 'i1', itemId: 'a', sample: false });
    expect(address).toEqual({ url: 'https://shop.test/media/x/one.mp3', expiresIn: expected });
  });

  test.each([
    ['four fifths of half a day', [43_200, null], 34_560_000],
    ['those of the shortest life', [43_200, 100], 80_000],
    ['no more than once in ten seconds', [4], 10_000],
    ['once a day where nobody knows', [null, null], 86_400_000],
    ['once a day where they live for a year', [31_536_000], 86_400_000],
  ])('are renewed after %s', (_, lives, expected) => {
    expect(renewalAfter(lives)).toBe(expected);
  });
});

/** Where a title was left. */
const lastPositionOf = async (...asked: Parameters<typeof lastPlace>) => (await lastPlace(...asked))?.place?.position ?? null;

describe('progress [S7.viewer/progress]', () => {
  const whole: Publication = { titleId: '1', instanceId: 'i', name: 'A', medium: 'epub', sample: false, items: [] };
  const sample = { ...whole, sample: true };

  test.each([
    ['a book', locator],
    ['a recording', { itemId: 'a', seconds: 4.5, totalProgression: 0.2 }],
    ['an interactive title', { node: 'cave', totalProgression: 0.2 }],
    ['never opened', null],
  ])('of %s', async (_, position) => {
    const { api, reported } = world([json({ position, savedAt: null })]);
    expect(await lastPositionOf(api, sample)).toEqual(position);
    expect(reported).toEqual([]);
  });

  test('names in other case, and numbers that are texts, are the same place', async () => {
    const { api } = world([json({ Position: { ItemId: 'a', Seconds: '4.5', TotalProgression: '0.2' } })]);
    expect(await lastPositionOf(api, sample)).toEqual({ itemId: 'a', seconds: 4.5, totalProgression: 0.2 });
  });

  test.each([
    ['in what both have', 'one', 'one'],
    ['in the end matter, which the whole has at its end, too', 'imprint', 'two'],
    ['in end matter of its own', 'buy-it', 'buy-it'],
  ])('a book whose sample was left %s goes on there, or with what is new', async (_, left, expected) => {
    const orders = { sample: ['cover', 'one', 'buy-it', 'imprint'], whole: ['cover', 'one', 'two', 'three', 'imprint'] };
    const { api } = world([json({ position: null }), json({ position: { ...locator, href: left } })]);
    const position = await lastPositionOf(api, whole, undefined, async () => orders);
    expect(position).toMatchObject({ href: expected, progression: left === expected ? 0.5 : 0, totalProgression: 0 });
  });

  test('a place is taken as it is where it cannot be found out what the sample lacks', async () => {
    const { api } = world([json({ position: null }), json({ position: locator })]);
    const position = await lastPositionOf(api, whole, undefined, () => Promise.reject(new Error('no manifest')));
    expect(position).toEqual({ ...locator, totalProgression: 0 });
  });

  test('a title that was never opened goes on where its sample was left', async () => {
    const never = json({ position: null });
    const left = world([never, json({ position: locator })]);
    expect(await lastPositionOf(left.api, whole)).toEqual({ ...locator, totalProgression: 0 });
    expect(left.asked.map(({ query }) => query['contextkey'])).toEqual(['epub', 'sample']);
    const opened = world([json({ position: locator })]);
    expect(await lastPositionOf(opened.api, whole)).toEqual(locator);
    expect(await lastPositionOf(world([never, never]).api, whole)).toBeNull();
    const heard = json({ position: { itemId: '1', seconds: 9, totalProgression: 0.2 } });
    const cut = (more: object) => json({ ...least, sample: true, items: [{ id: '1', name: 'Cut', ...more }] });
    const told = world([never, heard, cut({ sampleOf: { itemId: 'b', seconds: 30 } })]);
    expect(await lastPositionOf(told.api, whole)).toEqual({ itemId: 'b', seconds: 39, totalProgression: 0 });
    expect(told.asked[2]?.query).toEqual({ instanceid: '1', sample: 'true', shelfid: 'demo' });
    expect(await lastPositionOf(world([never, heard, cut({})]).api, whole)).toBeNull();
    const seen = json({ position: { node: 'cave', totalProgression: 0.6 } });
    expect(await lastPositionOf(world([never, seen]).api, whole)).toEqual({ node: 'cave', totalProgression: 0 });
    const unread = world([text('{'), json({ position: locator })]);
    expect(await lastPositionOf(unread.api, whole)).toBeNull();
    expect(unread.asked).toHaveLength(1);
  });

  test('progress that cannot be read is reported and counts as none', async () => {
    const { api, reported } = world([json({ position: { somewhere: true } }), text('{')]);
    expect(await lastPositionOf(api, whole)).toBeNull();
    expect(await lastPositionOf(api, whole)).toBeNull();
    expect(reported.map(([call, { kind }]) => [call, kind])).toEqual([
      ['viewer/progress', 'malformed'],
      ['viewer/progress', 'malformed'],
    ]);
  });

  const device = { id: 'd1', name: 'Firefox, Linux' };
  const savingAt = (known: KnownPlace) => ({ position: locator, known, device });
  const far = { ...locator, href: 'nine', totalProgression: 0.9 };

  test('a server with versions refuses a save that is out of date, and its place is answered', async () => {
    const other = { id: 'd2', name: 'Safari, iPhone' };
    const { api, asked } = world([
      json({ error: 'Newer', status: 409, code: 'place_newer' }, 409),
      json({ position: far, savedAt: '2026-01-02T10:00:00Z', version: 5, device: other, earlier: [] }),
    ]);
    const outcome = await saveViewerProgress(api, progressKey, savingAt({ version: 4 }));
    expect(outcome).toMatchObject({ known: { version: 5 }, newer: { position: far, device: other } });
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test.each([
    ['as the page knows it', { position: locator }, locator, null],
    ['where the page saves', { position: null }, locator, null],
    ['at none', { position: null }, null, null],
    ['elsewhere', { position: locator }, far, far],
  ])('a server without versions is asked first, and is %s', async (_, known, has, newer) => {
    const { api, asked } = world([json({ position: has }), json({})]);
    const outcome = await saveViewerProgress(api, progressKey, savingAt(known));
    expect(outcome.newer?.position ?? null).toEqual(newer);
    expect(asked.map(({ method }) => method)).toEqual(newer === null ? ['GET', 'POST'] : ['GET']);
    if (newer === null) expect(asked[1]?.body).toBe(JSON.stringify({ position: locator }));
  });

  test('a failed save is reported, not repeated, and left to the caller', async () => {
    const { api, asked, reported } = world([new TypeError('Failed to fetch')]);
    expect(await rejection(saveViewerProgress(api, progressKey, savingAt({ version: 1 })))).toEqual({ kind: 'offline' });
    expect([asked.length, reported]).toEqual([1, [['viewer/progress', { kind: 'offline' }]]]);
  });
});
