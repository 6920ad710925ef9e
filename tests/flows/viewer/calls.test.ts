import { describe, expect, test } from 'vitest';
import type { KnownPlace, Publication } from '../../../machines/model/reading/reading.ts';
import { saveViewerProgress } from '../../../src/client/library/places.ts';
import { fetchLastPlace, fetchComponents, fetchItemUrl } from '../../../src/flows/viewer/calls.ts';
import { getRenewalDelayMs } from '../../../src/flows/viewer/renewal.ts';
import { json, catchRejection, text, environment, xml } from '../../support/client/fake-environment.ts';

const minimalPurchase = { titleId: 't1', instanceId: 'i1', name: 'Log', medium: 'audio', sample: false };
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
  const { api, asked } = environment([json({ ...minimalPurchase, items })]);
  expect(await fetchComponents(api, { instanceId: 'i1' })).toEqual({
    ...minimalPurchase,
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
  const { api, asked } = environment([json({ ...minimalPurchase, sample: true, items: [{ id: 'a', name: 'One' }] })]);
  expect((await fetchComponents(api, { titleId: 't1', sample: true })).sample).toBe(true);
  expect(asked[0]?.query).toEqual({ instanceid: 't1', sample: 'true', shelfid: 'demo' });
});

test('the instance id of a sample opens a sample, though the address does not say so', async () => {
  const { api } = environment([
    json({ ...minimalPurchase, instanceId: 'sample-t1', sample: true, items: [{ id: 'a', name: 'One' }] }),
  ]);
  expect(await fetchComponents(api, { instanceId: 'sample-t1' })).toMatchObject({ instanceId: 'sample-t1', sample: true });
});

test.each([
  ['items.0.id', { ...minimalPurchase, items: [{ id: '', name: 'x' }] }],
  ['medium', { ...minimalPurchase, medium: 'scroll', items: [{ id: 'a', name: 'x' }] }],
])('components with wrong %s', async (field, answer) => {
  const problem = await catchRejection(fetchComponents(environment([json(answer)]).api, { instanceId: 'i1' }));
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
  const { api } = environment(Array.isArray(answer) ? [json(answer), library] : [json(answer), title]);
  expect((await fetchComponents(api, { instanceId: 'i1' })).items).toMatchObject(items);
});

test('an answer with only the address of the content', async () => {
  const { api } = environment([new Response('https://media.test/one.epub\n')]);
  const opened = await fetchItemUrl(api, { instanceId: 'i1', itemId: 'a', sample: false });
  expect(opened).toEqual({ url: 'https://media.test/one.epub', expiresIn: null });
});

test('a title that is not owned', async () => {
  const { api } = environment([json({ error: 'Not yours', status: 403, code: 'not_owned' }, 403)]);
  expect(await catchRejection(fetchComponents(api, { instanceId: 'i1' }))).toEqual({
    kind: 'refused',
    code: 'not_owned',
    message: 'Not yours',
  });
});

test('an executable URL of content is malformed', async () => {
  const { api } = environment([json({ url: 'javascript:x', expiresAt: 'x' })]);
  const problem = await catchRejection(fetchItemUrl(api, { instanceId: 'i1', itemId: 'a', sample: true }));
  expect(problem).toMatchObject({ kind: 'malformed', call: 'viewer/url', field: 'url' });
});

describe('media URLs', () => {
  test.each([
    ['in half a day', 43_200, 43_200],
    ['in zero seconds, which counts as unknown', 0, null],
    ['in the past', -5, null],
    ['never', null, null],
    ['in words', 'tomorrow', null],
  ])('that expire %s', async (_, expiresIn, expected) => {
    const { api } = environment([json({ url: '/media/x/one.mp3', expiresIn })]);
    const address = await fetchItemUrl(api, { instanceId: 'i1', itemId: 'a', sample: false });
    expect(address).toEqual({ url: 'https://shop.test/media/x/one.mp3', expiresIn: expected });
  });

  test.each([
    ['four fifths of half a day', [43_200, null], 34_560_000],
    ['four fifths of the shortest validity', [43_200, 100], 80_000],
    ['at least ten seconds', [4], 10_000],
    ['a day if the expiry is unknown', [null, null], 86_400_000],
    ['a day if they are valid for a year', [31_536_000], 86_400_000],
  ])('are renewed after %s', (_, lives, expected) => {
    expect(getRenewalDelayMs(lives)).toBe(expected);
  });
});

/** The saved reading place of a title. */
const readLastPosition = async (...asked: Parameters<typeof fetchLastPlace>) =>
  (await fetchLastPlace(...asked))?.place?.position ?? null;

describe('progress [S7.viewer/progress]', () => {
  const whole: Publication = { titleId: '1', instanceId: 'i', name: 'A', medium: 'epub', sample: false, items: [] };
  const sample = { ...whole, sample: true };

  test.each([
    ['a book', locator],
    ['a recording', { itemId: 'a', seconds: 4.5, totalProgression: 0.2 }],
    ['an interactive title', { node: 'cave', totalProgression: 0.2 }],
    ['never opened', null],
  ])('of %s', async (_, position) => {
    const { api, reported } = environment([json({ position, savedAt: null })]);
    expect(await readLastPosition(api, sample)).toEqual(position);
    expect(reported).toEqual([]);
  });

  test('names in another case, and numbers as text, are the same place', async () => {
    const { api } = environment([json({ Position: { ItemId: 'a', Seconds: '4.5', TotalProgression: '0.2' } })]);
    expect(await readLastPosition(api, sample)).toEqual({ itemId: 'a', seconds: 4.5, totalProgression: 0.2 });
  });

  test.each([
    ['in the common part', 'one', 'one'],
    ['in end matter that the whole book also ends with', 'imprint', 'two'],
    ['in end matter of its own', 'buy-it', 'buy-it'],
  ])('a book whose sample was left %s continues there, or at the new content', async (_, left, expected) => {
    const orders = { sample: ['cover', 'one', 'buy-it', 'imprint'], whole: ['cover', 'one', 'two', 'three', 'imprint'] };
    const { api } = environment([json({ position: null }), json({ position: { ...locator, href: left } })]);
    const position = await readLastPosition(api, whole, undefined, async () => orders);
    expect(position).toMatchObject({ href: expected, progression: left === expected ? 0.5 : 0, totalProgression: 0 });
  });

  test('a place is used unchanged when it is unknown which content the sample lacks', async () => {
    const { api } = environment([json({ position: null }), json({ position: locator })]);
    const position = await readLastPosition(api, whole, undefined, () => Promise.reject(new Error('no manifest')));
    expect(position).toEqual({ ...locator, totalProgression: 0 });
  });

  test('a title that was never opened continues where its sample was left', async () => {
    const never = json({ position: null });
    const left = environment([never, json({ position: locator })]);
    expect(await readLastPosition(left.api, whole)).toEqual({ ...locator, totalProgression: 0 });
    expect(left.asked.map(({ query }) => query['contextkey'])).toEqual(['epub', 'sample']);
    const opened = environment([json({ position: locator })]);
    expect(await readLastPosition(opened.api, whole)).toEqual(locator);
    expect(await readLastPosition(environment([never, never]).api, whole)).toBeNull();
    const heard = json({ position: { itemId: '1', seconds: 9, totalProgression: 0.2 } });
    const cut = (more: object) => json({ ...minimalPurchase, sample: true, items: [{ id: '1', name: 'Cut', ...more }] });
    const told = environment([never, heard, cut({ sampleOf: { itemId: 'b', seconds: 30 } })]);
    expect(await readLastPosition(told.api, whole)).toEqual({ itemId: 'b', seconds: 39, totalProgression: 0 });
    expect(told.asked[2]?.query).toEqual({ instanceid: '1', sample: 'true', shelfid: 'demo' });
    expect(await readLastPosition(environment([never, heard, cut({})]).api, whole)).toBeNull();
    const seen = json({ position: { node: 'cave', totalProgression: 0.6 } });
    expect(await readLastPosition(environment([never, seen]).api, whole)).toEqual({ node: 'cave', totalProgression: 0 });
    const unread = environment([text('{'), json({ position: locator })]);
    expect(await readLastPosition(unread.api, whole)).toBeNull();
    expect(unread.asked).toHaveLength(1);
  });

  test('unreadable progress is reported and counts as missing', async () => {
    const { api, reported } = environment([json({ position: { somewhere: true } }), text('{')]);
    expect(await readLastPosition(api, whole)).toBeNull();
    expect(await readLastPosition(api, whole)).toBeNull();
    expect(reported.map(([call, { kind }]) => [call, kind])).toEqual([
      ['viewer/progress', 'malformed'],
      ['viewer/progress', 'malformed'],
    ]);
  });

  const device = { id: 'd1', name: 'Firefox, Linux' };
  const savingAt = (known: KnownPlace) => ({ position: locator, known, device });
  const far = { ...locator, href: 'nine', totalProgression: 0.9 };

  test('a server with versions refuses an outdated save, and answers with its own place', async () => {
    const other = { id: 'd2', name: 'Safari, iPhone' };
    const { api, asked } = environment([
      json({ error: 'Newer', status: 409, code: 'place_newer' }, 409),
      json({ position: far, savedAt: '2026-01-02T10:00:00Z', version: 5, device: other, earlier: [] }),
    ]);
    const outcome = await saveViewerProgress(api, progressKey, savingAt({ version: 4 }));
    expect(outcome).toMatchObject({ known: { version: 5 }, newer: { position: far, device: other } });
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test.each([
    ['at the place that the page knows', { position: locator }, locator, null],
    ['at the place that the page saves', { position: null }, locator, null],
    ['without a place', { position: null }, null, null],
    ['elsewhere', { position: locator }, far, far],
  ])('a server without versions is read first, and is %s', async (_, known, has, newer) => {
    const { api, asked } = environment([json({ position: has }), json({})]);
    const outcome = await saveViewerProgress(api, progressKey, savingAt(known));
    expect(outcome.newer?.position ?? null).toEqual(newer);
    expect(asked.map(({ method }) => method)).toEqual(newer === null ? ['GET', 'POST'] : ['GET']);
    if (newer === null) expect(asked[1]?.body).toBe(JSON.stringify({ position: locator }));
  });

  test('a failed save is reported, not retried, and left to the caller', async () => {
    const { api, asked, reported } = environment([new TypeError('Failed to fetch')]);
    expect(await catchRejection(saveViewerProgress(api, progressKey, savingAt({ version: 1 })))).toEqual({ kind: 'offline' });
    expect([asked.length, reported]).toEqual([1, [['viewer/progress', { kind: 'offline' }]]]);
  });
});
