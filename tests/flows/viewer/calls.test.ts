import { describe, expect, test } from 'vitest';
import type { KnownPlace, Publication } from '../../../machines/model/reading/reading.ts';
import { saveViewerProgress } from '../../../src/client/library/places.ts';
import { fetchLastPlace, fetchComponents, fetchItemUrl } from '../../../src/flows/viewer/calls.ts';
import { getRenewalDelayMs } from '../../../src/flows/viewer/renewal.ts';
import { json, catchRejection, jsonText, createFakeServer, xml } from '../../support/client/fake-environment.ts';

const minimalPurchase = { titleId: 't1', instanceId: 'i1', name: 'Log', medium: 'audio', sample: false };
const progressKey = { titleId: 't1', contextKey: 'audio' };
const locator = { href: 'ch1.xhtml', progression: 0.5, totalProgression: 0.1, cfi: null, label: 'One', page: null, pages: null };

test('the components of a copy are read [S7.viewer/components]', async () => {
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
  const { api, requests } = createFakeServer([json({ ...minimalPurchase, items })]);
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
  expect(requests[0]?.query).toEqual({ instanceid: 'i1', shelfid: 'demo' });
});

test('the components of a sample are requested as such', async () => {
  const { api, requests } = createFakeServer([json({ ...minimalPurchase, sample: true, items: [{ id: 'a', name: 'One' }] })]);
  expect((await fetchComponents(api, { titleId: 't1', sample: true })).sample).toBe(true);
  expect(requests[0]?.query).toEqual({ instanceid: 't1', sample: 'true', shelfid: 'demo' });
});

test('the instance id of a sample opens a sample, though the address does not say so', async () => {
  const { api } = createFakeServer([
    json({ ...minimalPurchase, instanceId: 'sample-t1', sample: true, items: [{ id: 'a', name: 'One' }] }),
  ]);
  expect(await fetchComponents(api, { instanceId: 'sample-t1' })).toMatchObject({ instanceId: 'sample-t1', sample: true });
});

test.each([
  ['items.0.id', { ...minimalPurchase, items: [{ id: '', name: 'x' }] }],
  ['medium', { ...minimalPurchase, medium: 'scroll', items: [{ id: 'a', name: 'x' }] }],
])('components with an invalid %s are malformed', async (field, response) => {
  const problem = await catchRejection(fetchComponents(createFakeServer([json(response)]).api, { instanceId: 'i1' }));
  expect(problem).toMatchObject({ kind: 'malformed', call: 'viewer/components', field });
});

test.each([
  ['as a bare list', [{ Id: 'a', Name: 'One' }], [{ id: 'a', name: 'One' }]],
  ['without items', { name: 'Log', medium: 'epub', titleId: 't1' }, [{ id: 'i1', name: 'Log' }]],
])('components sent %s are completed', async (_, response, items) => {
  const title = xml('<Title><TitleId>t1</TitleId><Name>Log</Name></Title>');
  const library = xml(
    '<Purchases><Purchase><InstanceId>i1</InstanceId><Title><TitleId>t1</TitleId><Name>Log</Name></Title></Purchase></Purchases>',
  );
  const { api } = createFakeServer(Array.isArray(response) ? [json(response), library] : [json(response), title]);
  expect((await fetchComponents(api, { instanceId: 'i1' })).items).toMatchObject(items);
});

test('a response that is only the URL of the content is read', async () => {
  const { api } = createFakeServer([new Response('https://media.test/one.epub\n')]);
  const address = await fetchItemUrl(api, { instanceId: 'i1', itemId: 'a', sample: false });
  expect(address).toEqual({ url: 'https://media.test/one.epub', expiresIn: null });
});

test('the components of a title that is not owned are refused', async () => {
  const { api } = createFakeServer([json({ error: 'Not yours', status: 403, code: 'not_owned' }, 403)]);
  expect(await catchRejection(fetchComponents(api, { instanceId: 'i1' }))).toEqual({
    kind: 'refused',
    code: 'not_owned',
    message: 'Not yours',
  });
});

test('an executable URL of content is malformed', async () => {
  const { api } = createFakeServer([json({ url: 'javascript:x', expiresAt: 'x' })]);
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
  ])('the validity of a media URL that expires %s is read', async (_, expiresIn, expected) => {
    const { api } = createFakeServer([json({ url: '/media/x/one.mp3', expiresIn })]);
    const address = await fetchItemUrl(api, { instanceId: 'i1', itemId: 'a', sample: false });
    expect(address).toEqual({ url: 'https://shop.test/media/x/one.mp3', expiresIn: expected });
  });

  test.each([
    ['four fifths of half a day', [43_200, null], 34_560_000],
    ['four fifths of the shortest validity', [43_200, 100], 80_000],
    ['at least ten seconds', [4], 10_000],
    ['a day if the expiry is unknown', [null, null], 86_400_000],
    ['a day if they are valid for a year', [31_536_000], 86_400_000],
  ])('media URLs are renewed after %s', (_, expirySeconds, expected) => {
    expect(getRenewalDelayMs(expirySeconds)).toBe(expected);
  });
});

/** Returns the saved position of a title; null without one. */
const readLastPosition = async (...args: Parameters<typeof fetchLastPlace>) =>
  (await fetchLastPlace(...args))?.place?.position ?? null;

describe('progress [S7.viewer/progress]', () => {
  const publication: Publication = { titleId: '1', instanceId: 'i', name: 'A', medium: 'epub', sample: false, items: [] };
  const sample = { ...publication, sample: true };

  test.each([
    ['a book', locator],
    ['a recording', { itemId: 'a', seconds: 4.5, totalProgression: 0.2 }],
    ['an interactive title', { node: 'cave', totalProgression: 0.2 }],
    ['a title never opened', null],
  ])('the position of %s is read', async (_, position) => {
    const { api, reportedProblems } = createFakeServer([json({ position, savedAt: null })]);
    expect(await readLastPosition(api, sample)).toEqual(position);
    expect(reportedProblems).toEqual([]);
  });

  test('a position with names in another case, and numbers as text, is read', async () => {
    const { api } = createFakeServer([json({ Position: { ItemId: 'a', Seconds: '4.5', TotalProgression: '0.2' } })]);
    expect(await readLastPosition(api, sample)).toEqual({ itemId: 'a', seconds: 4.5, totalProgression: 0.2 });
  });

  test.each([
    ['in the common part', 'one', 'one'],
    ['in end matter that the whole book also ends with', 'imprint', 'two'],
    ['in end matter of its own', 'buy-it', 'buy-it'],
  ])('a book whose sample was left %s continues there, or at the new content', async (_, leftHref, expected) => {
    const readingOrders = { sample: ['cover', 'one', 'buy-it', 'imprint'], whole: ['cover', 'one', 'two', 'three', 'imprint'] };
    const { api } = createFakeServer([json({ position: null }), json({ position: { ...locator, href: leftHref } })]);
    const position = await readLastPosition(api, publication, undefined, async () => readingOrders);
    expect(position).toMatchObject({ href: expected, progression: leftHref === expected ? 0.5 : 0, totalProgression: 0 });
  });

  test('the position in a sample is used unchanged if the reading orders cannot be fetched', async () => {
    const { api } = createFakeServer([json({ position: null }), json({ position: locator })]);
    const position = await readLastPosition(api, publication, undefined, () => Promise.reject(new Error('no manifest')));
    expect(position).toEqual({ ...locator, totalProgression: 0 });
  });

  test('a title that was never opened continues where its sample was left', async () => {
    const neverOpened = json({ position: null });
    const sampleServer = createFakeServer([neverOpened, json({ position: locator })]);
    expect(await readLastPosition(sampleServer.api, publication)).toEqual({ ...locator, totalProgression: 0 });
    expect(sampleServer.requests.map(({ query }) => query['contextkey'])).toEqual(['epub', 'sample']);
    const openedServer = createFakeServer([json({ position: locator })]);
    expect(await readLastPosition(openedServer.api, publication)).toEqual(locator);
    expect(await readLastPosition(createFakeServer([neverOpened, neverOpened]).api, publication)).toBeNull();
    const recordingResponse = json({ position: { itemId: '1', seconds: 9, totalProgression: 0.2 } });
    const createSampleResponse = (itemFields: object) =>
      json({ ...minimalPurchase, sample: true, items: [{ id: '1', name: 'Cut', ...itemFields }] });
    const recordingServer = createFakeServer([
      neverOpened,
      recordingResponse,
      createSampleResponse({ sampleOf: { itemId: 'b', seconds: 30 } }),
    ]);
    expect(await readLastPosition(recordingServer.api, publication)).toEqual({ itemId: 'b', seconds: 39, totalProgression: 0 });
    expect(recordingServer.requests[2]?.query).toEqual({ instanceid: '1', sample: 'true', shelfid: 'demo' });
    expect(
      await readLastPosition(createFakeServer([neverOpened, recordingResponse, createSampleResponse({})]).api, publication),
    ).toBeNull();
    const interactiveResponse = json({ position: { node: 'cave', totalProgression: 0.6 } });
    expect(await readLastPosition(createFakeServer([neverOpened, interactiveResponse]).api, publication)).toEqual({
      node: 'cave',
      totalProgression: 0,
    });
    const unreadableServer = createFakeServer([jsonText('{'), json({ position: locator })]);
    expect(await readLastPosition(unreadableServer.api, publication)).toBeNull();
    expect(unreadableServer.requests).toHaveLength(1);
  });

  test('unreadable progress is reported and counts as missing', async () => {
    const { api, reportedProblems } = createFakeServer([json({ position: { somewhere: true } }), jsonText('{')]);
    expect(await readLastPosition(api, publication)).toBeNull();
    expect(await readLastPosition(api, publication)).toBeNull();
    expect(reportedProblems.map(([call, { kind }]) => [call, kind])).toEqual([
      ['viewer/progress', 'malformed'],
      ['viewer/progress', 'malformed'],
    ]);
  });

  const device = { id: 'd1', name: 'Firefox, Linux' };
  const createSave = (known: KnownPlace) => ({ position: locator, known, device });
  const laterLocator = { ...locator, href: 'nine', totalProgression: 0.9 };

  test('a save refused as outdated returns the newer position on the server', async () => {
    const otherDevice = { id: 'd2', name: 'Safari, iPhone' };
    const { api, requests } = createFakeServer([
      json({ error: 'Newer', status: 409, code: 'place_newer' }, 409),
      json({ position: laterLocator, savedAt: '2026-01-02T10:00:00Z', version: 5, device: otherDevice, earlier: [] }),
    ]);
    const outcome = await saveViewerProgress(api, progressKey, createSave({ version: 4 }));
    expect(outcome).toMatchObject({ known: { version: 5 }, newer: { position: laterLocator, device: otherDevice } });
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test.each([
    ['at the position that the app knows', { position: locator }, locator, null],
    ['at the position that the app saves', { position: null }, locator, null],
    ['without a position', { position: null }, null, null],
    ['at another position', { position: locator }, laterLocator, laterLocator],
  ])('a save to a server without versions, which is %s, reads the position first', async (_, known, serverPosition, newer) => {
    const { api, requests } = createFakeServer([json({ position: serverPosition }), json({})]);
    const outcome = await saveViewerProgress(api, progressKey, createSave(known));
    expect(outcome.newer?.position ?? null).toEqual(newer);
    expect(requests.map(({ method }) => method)).toEqual(newer === null ? ['GET', 'POST'] : ['GET']);
    if (newer === null) expect(requests[1]?.body).toBe(JSON.stringify({ position: locator }));
  });

  test('a failed save is reported, rejected and not retried', async () => {
    const { api, requests, reportedProblems } = createFakeServer([new TypeError('Failed to fetch')]);
    expect(await catchRejection(saveViewerProgress(api, progressKey, createSave({ version: 1 })))).toEqual({ kind: 'offline' });
    expect([requests.length, reportedProblems]).toEqual([1, [['viewer/progress', { kind: 'offline' }]]]);
  });
});
