import { describe, expect, test } from 'vitest';
import { fetchCategories } from '../../src/client/catalogue/categories.ts';
import { fetchReceipt } from '../../src/flows/receipt/calls.ts';
import { fetchOwnCopyId } from '../../src/client/library/ownership.ts';
import { fetchStoreProperties } from '../../src/client/store.ts';
import { fetchTitle } from '../../src/client/catalogue/title.ts';
import { fetchTitles } from '../../src/client/catalogue/titles.ts';
import { saveViewerProgress } from '../../src/client/library/places.ts';
import { fetchLastPlace } from '../../src/flows/viewer/calls.ts';
import { html, json, catchRejection, jsonText, createFakeServer, xml } from '../support/client/fake-environment.ts';

const errorXml = (fields: Record<string, string | number>) =>
  `<Error>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</Error>`;
const allTitlesQuery = { type: 'all', categoryId: null, search: '', sort: '', cursor: null } as const;
const progressKey = { titleId: 't1', contextKey: 'epub' };
const saveInput = {
  position: { node: 'cave', totalProgression: 0.5 },
  known: { version: 0 },
  device: { id: 'd1', name: 'Firefox, Linux' },
};
const book = { titleId: 't1', instanceId: 'i1', name: 'Log', medium: 'epub' as const, sample: false, items: [] };

describe('specification section 8, XML answers [S8.xml-401] [S8.xml-invalid] [S8.xml-error] [S6.401]', () => {
  const unauthorized = { kind: 'unauthorized' };
  const refusedNotFound = { kind: 'refused', code: 'not_found', message: 'No such title' };
  const notFound = { StatusCode: 404, Status: 'NotFound', Message: 'No such title' };
  const rows: [string, Response, unknown][] = [
    [
      'root Error with StatusCode 401',
      xml(errorXml({ StatusCode: 401, Status: 'Unauthorized', Message: 'Sign in' }), 401),
      unauthorized,
    ],
    [
      'root Error with StatusCode 401 under HTTP 200',
      xml(errorXml({ StatusCode: 401, Status: 'Unauthorized', Message: 'Sign in' })),
      unauthorized,
    ],
    ['root Error with a 401 as attributes in another case', xml('<error statuscode="401" status="unauthorized"/>'), unauthorized],
    ['StatusCode 401 as an attribute, with any Status', xml('<Error StatusCode="401" Status="Denied"/>'), unauthorized],
    ['HTTP 401, with any document', xml(errorXml({ Status: 'Denied', Message: 'No' }), 401), unauthorized],
    ['a 401 deep inside another document', xml('<Title><Meta><StatusCode>401</StatusCode></Meta></Title>'), unauthorized],
    ['HTTP 401 without a document', new Response(null, { status: 401 }), unauthorized],
    [
      'Error with Status Invalid',
      xml(errorXml({ StatusCode: 404, Status: 'Invalid', Message: 'No store' }), 404),
      { kind: 'invalidStore' },
    ],
    [
      'Error with Status Invalid under HTTP 200',
      xml(errorXml({ StatusCode: 200, Status: 'Invalid', Message: 'No store' })),
      { kind: 'invalidStore' },
    ],
    ['Status Invalid, with any Code', xml(errorXml({ Status: 'Invalid', Code: 'gone' }), 404), { kind: 'invalidStore' }],
    ['Error with StatusCode 404', xml(errorXml(notFound), 404), refusedNotFound],
    ['Error with StatusCode 404 under HTTP 200', xml(errorXml(notFound)), refusedNotFound],
    [
      'Error with a Code',
      xml(errorXml({ StatusCode: 409, Status: 'Conflict', Code: 'email_taken', Message: 'Known' }), 409),
      { kind: 'refused', code: 'email_taken', message: 'Known' },
    ],
    [
      'Error with StatusCode 500',
      xml(errorXml({ StatusCode: 500, Status: 'InternalServerError', Message: 'Sorry' }), 500),
      { kind: 'http', status: 500, message: 'HTTP Error: 500' },
    ],
    [
      'an HTML page of a proxy',
      html('<html><body>Bad gateway<br></body></html>', 500),
      { kind: 'http', status: 500, message: 'HTTP Error: 500' },
    ],
  ];
  test.each(rows)('an XML answer is a problem: %s', async (_, response, problem) => {
    expect(await catchRejection(fetchTitle(createFakeServer([response]).api, 't1'))).toEqual(problem);
  });
});

describe('specification section 8, JSON answers [S8.http-error] [S8.json-error]', () => {
  const unauthorized = { kind: 'unauthorized' };
  const rows: [string, Response, unknown][] = [
    ['non-200 status', jsonText('{}', 418), { kind: 'http', status: 418, message: 'HTTP Error: 418' }],
    ['non-200 status with broken text', jsonText('{oops', 500), { kind: 'http', status: 500, message: 'HTTP Error: 500' }],
    [
      'an error without a code',
      json({ error: 'Too bad', status: 400 }, 400),
      { kind: 'http', status: 400, message: 'HTTP Error: 400' },
    ],
    [
      'an error with a code',
      json({ error: 'Owned', status: 409, code: 'already_owned' }, 409),
      { kind: 'refused', code: 'already_owned', message: 'Owned' },
    ],
    [
      'an unknown outcome of a payment',
      json({ error: 'Unknown', status: 502, code: 'payment_unknown' }, 502),
      { kind: 'refused', code: 'payment_unknown', message: 'Unknown' },
    ],
    [
      'code internal',
      json({ error: 'Sorry', status: 500, code: 'internal' }, 500),
      { kind: 'http', status: 500, message: 'HTTP Error: 500' },
    ],
    [
      'a refusal without a message',
      json({ error: '', status: 403, code: 'not_owned' }, 403),
      { kind: 'refused', code: 'not_owned', message: '' },
    ],
    ['an error field under 200', json({ error: 'Too bad' }), { kind: 'refused', code: 'error', message: 'JSON Error: Too bad' }],
    [
      'an error object under 200',
      json({ error: { message: 'Too bad', code: 'Not Found' } }),
      { kind: 'refused', code: 'not_found', message: 'JSON Error: Too bad' },
    ],
    ['status 401 in the body under 200', json({ error: 'Sign in', status: 401 }), unauthorized],
    ['a 401 deep in the body under 200', json({ data: { reply: { StatusCode: '401' } } }), unauthorized],
    ['a 401 inside the error under 200', json({ Error: { Code: 401, Message: 'Sign in' } }), unauthorized],
    ['a 401 inside the fault under 200', json({ fault: { error: { status: '401' } } }), unauthorized],
    ['code unauthorized', json({ error: 'Sign in', status: 401, code: 'unauthorized' }, 401), unauthorized],
    ['code invalid_store', json({ error: 'No store', status: 404, code: 'invalid_store' }, 404), { kind: 'invalidStore' }],
  ];
  test.each(rows)('a JSON answer is a problem: %s', async (_, response, problem) => {
    // A read with a transient status is retried, and gets the same reply again.
    expect(await catchRejection(fetchOwnCopyId(createFakeServer([response]).api, { titleId: 't1' }))).toEqual(problem);
  });
});

describe('unreadable answers', () => {
  test('a failure of the network is the problem `offline`', async () => {
    expect(await catchRejection(fetchTitle(createFakeServer([new TypeError('Failed to fetch')]).api, 't1'))).toEqual({
      kind: 'offline',
    });
  });
  test('an answer after the time limit is the problem `timeout`', async () => {
    const { api, limits } = createFakeServer([
      () => {
        limits[0]?.end();
        throw new DOMException('too slow', 'TimeoutError');
      },
    ]);
    expect(await catchRejection(fetchTitle(api, 't1'))).toEqual({ kind: 'timeout' });
  });
  test.each([
    ['timeout', new DOMException('too slow', 'TimeoutError')],
    ['offline', new TypeError('terminated')],
  ])('an answer whose body is cut off is the problem `%s`', async (kind, reason) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('<Titles><Title>')),
      pull: (controller) => controller.error(reason),
    });
    expect(await catchRejection(fetchTitles(createFakeServer([() => new Response(body)]).api, allTitlesQuery))).toEqual({ kind });
  });
  test.each([
    ['broken XML', xml('<Titles><Total></Titles>')],
    ['cut XML', xml('<Titles><Title>')],
    ['empty', xml('')],
    ['no XML at all', xml('no titles')],
    ['an HTML page', html('<html><head></head></html>')],
  ])('a list of titles is malformed: %s', async (_, response) => {
    const problem = await catchRejection(fetchTitles(createFakeServer([response]).api, allTitlesQuery));
    expect(problem).toMatchObject({ kind: 'malformed', call: 'titles', field: '' });
  });
  test.each([
    ['broken JSON', jsonText('{"hasTitle":'), ''],
    ['empty', jsonText(''), 'hasTitle'],
    ['a missing field', json({}), 'hasTitle'],
    ['a wrong field', json({ hasTitle: 'perhaps' }), 'hasTitle'],
  ])('an answer about ownership is malformed: %s', async (_, response, field) => {
    const problem = await catchRejection(fetchOwnCopyId(createFakeServer([response]).api, { titleId: 't1' }));
    expect(problem).toMatchObject({ kind: 'malformed', call: 'user/has-title', field });
  });
  test('a title with a missing field is left out, and its report has the path of the field', async () => {
    const twoTitles =
      '<Titles><Title><TitleId>1</TitleId></Title><Title><TitleId>2</TitleId><Name>Two</Name><TitleType>1</TitleType></Title></Titles>';
    const { api, reportedProblems } = createFakeServer([xml(twoTitles)]);
    expect((await fetchTitles(api, allTitlesQuery)).titles.map(({ id }) => id)).toEqual(['2']);
    expect(reportedProblems).toEqual([['titles', expect.objectContaining({ kind: 'malformed', field: 'titles.0.name' })]]);
  });
  test('a Problem is a plain value that a trace can store', async () => {
    const problem = await catchRejection(fetchReceipt(createFakeServer([json({})]).api, { transId: 'tr1', isGift: false }));
    expect(JSON.parse(JSON.stringify(problem))).toEqual(problem);
  });
});

describe('failures that the record of a visit has', () => {
  const failedResponse = () => json({ error: 'Sorry', status: 500, code: 'internal' }, 500);
  const problem = { kind: 'http', status: 500, message: 'HTTP Error: 500' };
  test('failed progress calls are reported, and the last place is null [S8.progress]', async () => {
    const { api, reportedProblems } = createFakeServer([failedResponse]);
    expect(await fetchLastPlace(api, book)).toBeNull();
    // The machine that saves the position shows no failure, but the record of the visit has it.
    expect(await catchRejection(saveViewerProgress(api, progressKey, saveInput))).toEqual(problem);
    expect(reportedProblems).toEqual([
      ['viewer/progress', problem],
      ['viewer/progress', problem],
    ]);
  });
  test('a failure of the categories is thrown and reported [S8.categories]', async () => {
    const { api, reportedProblems } = createFakeServer([
      xml('<Error><StatusCode>500</StatusCode><Status>InternalServerError</Status></Error>', 500),
    ]);
    await expect(fetchCategories(api)).rejects.toEqual(problem);
    expect(reportedProblems).toEqual([['categories', problem]]);
  });
  test('a failure of the store properties is thrown and reported [S8.properties-logged]', async () => {
    const { api, reportedProblems } = createFakeServer([new TypeError('Failed to fetch')]);
    expect(await catchRejection(fetchStoreProperties(api))).toEqual({ kind: 'offline' });
    expect(reportedProblems).toEqual([['store/properties', { kind: 'offline' }]]);
  });
});
