import { expect, test } from 'vitest';
import { lookUpCode, redeemCode } from '../../../src/flows/redeem/calls.ts';
import { json, catchRejection, createFakeServer, xml } from '../../support/client/fake-environment.ts';

const signal = new AbortController().signal;

test('titles, a subscription and credits of a code are read [S7.redeem/apply]', async () => {
  const { api, requests } = createFakeServer([
    xml(`<Redemption><Kind>titles</Kind><Redeemed>false</Redeemed><Titles>
      <Title><TitleId>1</TitleId><Name>One</Name><TitleType>1</TitleType><Medium>epub</Medium></Title>
      <Title><TitleId>2</TitleId><Name>Two</Name><TitleType>2</TitleType><Medium>audio</Medium></Title>
      </Titles><Owned><TitleId>2</TitleId></Owned></Redemption>`),
    xml(`<Redemption><Kind>Subscription</Kind><TrialDays>30</TrialDays><Plan><PlanId>monthly</PlanId><Name>M</Name><Amount>9.00</Amount>
      <Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol><Interval>month</Interval></Plan></Redemption>`),
    xml('<Redemption Kind="credits" Credits="5" Redeemed="true" InstanceId="i1"/>'),
  ]);
  const choice = await lookUpCode(api, 'A B', signal);
  expect(choice).toMatchObject({ kind: 'titles', owned: ['2'], redeemed: false, plan: null, trialDays: null, instanceId: null });
  expect(choice.titles.map(({ id, name }) => [id, name])).toEqual([
    ['1', 'One'],
    ['2', 'Two'],
  ]);
  expect(await lookUpCode(api, 'T', signal)).toMatchObject({
    kind: 'subscription',
    trialDays: 30,
    plan: { id: 'monthly' },
    titles: [],
  });
  expect(await lookUpCode(api, 'C', signal)).toMatchObject({ kind: 'credits', credits: 5, redeemed: true, instanceId: 'i1' });
  expect(requests.map(({ path, query }) => [path, query['code']])).toEqual([
    ['/api/redeem/apply', 'A B'],
    ['/api/redeem/apply', 'T'],
    ['/api/redeem/apply', 'C'],
  ]);
});

test('the giver and the message of a gift are in `pii`', async () => {
  const { api } = createFakeServer([
    xml('<Redemption><Kind>title</Kind><Giver>Ann</Giver><Message>Enjoy!</Message></Redemption>'),
  ]);
  expect((await lookUpCode(api, 'G', signal)).pii).toEqual({ giver: 'Ann', message: 'Enjoy!' });
});

test.each([
  ['<Redemption/>', 'kind'],
  ['<Redemption><Kind>gold</Kind></Redemption>', 'kind'],
  ['<Redemption><Kind>title</Kind><Titles><Title><TitleId>1</TitleId></Title></Titles></Redemption>', 'titles.0.name'],
  ['<Redemption><Titles/></Redemption>', 'kind'],
  ['<Redemption><Kind>subscription</Kind><Plan><Name>M</Name></Plan></Redemption>', 'plan.id'],
])('the response %s is malformed', async (body, field) => {
  const { api } = createFakeServer([xml(body)]);
  expect(await catchRejection(lookUpCode(api, 'A', signal))).toMatchObject({ kind: 'malformed', field });
});

test('a refusal keeps its code', async () => {
  const { api } = createFakeServer([
    xml('<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>code_used</Code></Error>', 409),
    xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status></Error>', 404),
  ]);
  expect(await catchRejection(lookUpCode(api, 'A', signal))).toMatchObject({ kind: 'refused', code: 'code_used' });
  expect(await catchRejection(lookUpCode(api, 'A', signal))).toMatchObject({ kind: 'refused', code: 'not_found' });
});

const purchasesXml = '<Purchases><Purchase><InstanceId>i1</InstanceId></Purchase></Purchases>';

test('each kind is redeemed by its own call [S7.redeem/title] [S7.redeem/titles]', async () => {
  const { api, requests } = createFakeServer([
    xml(purchasesXml),
    xml(purchasesXml),
    xml('<Redemption><Kind>credits</Kind></Redemption>'),
  ]);
  expect(await redeemCode(api, { code: 'A', kind: 'title', titleId: '1' })).toBe('i1');
  expect(await redeemCode(api, { code: 'B', kind: 'titles', titleId: '2' })).toBe('i1');
  expect(await redeemCode(api, { code: 'C', kind: 'credits', titleId: '' })).toBeNull();
  expect(requests).toMatchObject([
    { path: '/api/redeem/title', query: { code: 'A' } },
    { path: '/api/redeem/titles', query: { RedeemPin: 'B', titleId: '2' } },
    { path: '/api/redeem/benefit' },
  ]);
  expect(requests[2]?.body).toContain('<RedeemCode><Code>C</Code></RedeemCode>');
});

test('a redemption is not retried automatically, and needs a copy or a title in the response', async () => {
  const failingServer = createFakeServer([() => new Response('', { status: 503 })]);
  expect(await catchRejection(redeemCode(failingServer.api, { code: 'A', kind: 'title', titleId: '1' }))).toMatchObject({
    status: 503,
  });
  expect(failingServer.requests).toHaveLength(1);
  const titleOnlyServer = createFakeServer([xml('<Purchases><Purchase><TitleId>1</TitleId></Purchase></Purchases>')]);
  expect(await redeemCode(titleOnlyServer.api, { code: 'A', kind: 'title', titleId: '1' })).toBe('1');
  const { api } = createFakeServer([xml('<Purchases/>')]);
  expect(await catchRejection(redeemCode(api, { code: 'A', kind: 'title', titleId: '1' }))).toMatchObject({ kind: 'malformed' });
});

const firstTitle = '<Title><TitleId>1</TitleId><Name>One</Name><TitleType>1</TitleType></Title>';
const secondTitle = '<Title><TitleId>2</TitleId><Name>Two</Name><TitleType>2</TitleType></Title>';

test.each([
  [`<Titles>${firstTitle}</Titles>`, 'title'],
  [`<Titles>${firstTitle}${secondTitle}</Titles>`, 'titles'],
  ['<Credits>5</Credits>', 'credits'],
  ['<PercentOff>20</PercentOff>', 'discount'],
  ['<PlanId>monthly</PlanId>', 'subscription'],
  [`<Kind>ebook</Kind><Titles>${firstTitle}</Titles>`, 'title'],
])('a response without a kind has the kind of its contents: %s', async (content, kind) => {
  const { api } = createFakeServer([xml(`<Redemption>${content}</Redemption>`)]);
  expect((await lookUpCode(api, 'A', signal)).kind).toBe(kind);
});

test('an unreadable title is left out of the offer', async () => {
  const { api } = createFakeServer([
    xml(`<Redemption><Titles>${firstTitle}<Title><TitleId>3</TitleId></Title></Titles></Redemption>`),
  ]);
  expect(await lookUpCode(api, 'A', signal)).toMatchObject({ kind: 'title', titles: [{ id: '1' }] });
});

test.each([
  ['used before', xml('<Error><StatusCode>409</StatusCode><Code>code_used</Code></Error>', 409)],
  ['used now', xml('<Redemption><Kind>credits</Kind></Redemption>')],
])('looking the code up redeems credits when the server has no other call: %s', async (_, lookupResponse) => {
  const { api, requests } = createFakeServer([new Response('no such call', { status: 404 }), lookupResponse]);
  expect(await redeemCode(api, { code: 'A', kind: 'credits', titleId: '' })).toBeNull();
  expect(requests.map(({ method, path }) => [method, path])).toEqual([
    ['POST', '/api/redeem/benefit'],
    ['GET', '/api/redeem/apply'],
  ]);
});

test('a subscription’s code is redeemed by the payment when the server has no other call', async () => {
  const { api, requests } = createFakeServer([new Response('no such call', { status: 404 })]);
  const problem = await catchRejection(redeemCode(api, { code: 'A', kind: 'subscription', titleId: '' }));
  expect(problem).toMatchObject({ kind: 'refused', code: 'code_at_payment' });
  expect(requests).toHaveLength(1);
});

test('a code that names its plan only by id gives that plan', async () => {
  const plan = '<Plan><PlanId>gold</PlanId><Name>Gold</Name><Amount>9</Amount></Plan>';
  const { api, requests } = createFakeServer([xml('<Redemption><PlanId>gold</PlanId></Redemption>'), xml(plan)]);
  expect(await lookUpCode(api, 'A', signal)).toMatchObject({ kind: 'subscription', plan: { id: 'gold', interval: null } });
  expect(requests[1]?.path).toBe('/api/plans/gold');
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['a bare success', () => json({ success: true })],
])('after a redemption answered with %s the customer’s copy is read', async (_, createResponse) => {
  const { api, requests } = createFakeServer([createResponse(), json({ hasTitle: true, instanceId: 'i7' })]);
  expect(await redeemCode(api, { code: 'A', kind: 'title', titleId: '1' })).toBe('i7');
  expect(requests.map(({ path }) => path)).toEqual(['/api/redeem/title', '/api/user/has-title']);
});

test('a JSON response that is a list is read as the titles of a code', async () => {
  const { api } = createFakeServer([json([{ TitleId: '1', Name: 'One', TitleType: 1 }])]);
  expect((await lookUpCode(api, 'A', signal)).titles.map(({ id }) => id)).toEqual(['1']);
});
