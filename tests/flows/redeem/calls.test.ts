import { expect, test } from 'vitest';
import { lookUpCode, redeemCode } from '../../../src/flows/redeem/calls.ts';
import { json, catchRejection, environment, xml } from '../../support/client/fake-environment.ts';

const signal = new AbortController().signal;

test('every kind of code offer is read [S7.redeem/apply]', async () => {
  const { api, asked } = environment([
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
  expect(asked.map(({ path, query }) => [path, query['code']])).toEqual([
    ['/api/redeem/apply', 'A B'],
    ['/api/redeem/apply', 'T'],
    ['/api/redeem/apply', 'C'],
  ]);
});

test('a gift has its giver in a field of its own', async () => {
  const { api } = environment([xml('<Redemption><Kind>title</Kind><Giver>Ann</Giver><Message>Enjoy!</Message></Redemption>')]);
  expect((await lookUpCode(api, 'G', signal)).pii).toEqual({ giver: 'Ann', message: 'Enjoy!' });
});

test.each([
  ['<Redemption/>', 'kind'],
  ['<Redemption><Kind>gold</Kind></Redemption>', 'kind'],
  ['<Redemption><Kind>title</Kind><Titles><Title><TitleId>1</TitleId></Title></Titles></Redemption>', 'titles.0.name'],
  ['<Redemption><Titles/></Redemption>', 'kind'],
  ['<Redemption><Kind>subscription</Kind><Plan><Name>M</Name></Plan></Redemption>', 'plan.id'],
])('%s is malformed', async (body, field) => {
  const { api } = environment([xml(body)]);
  expect(await catchRejection(lookUpCode(api, 'A', signal))).toMatchObject({ kind: 'malformed', field });
});

test('a refusal keeps its code', async () => {
  const { api } = environment([
    xml('<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>code_used</Code></Error>', 409),
    xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status></Error>', 404),
  ]);
  expect(await catchRejection(lookUpCode(api, 'A', signal))).toMatchObject({ kind: 'refused', code: 'code_used' });
  expect(await catchRejection(lookUpCode(api, 'A', signal))).toMatchObject({ kind: 'refused', code: 'not_found' });
});

const purchasesXml = '<Purchases><Purchase><InstanceId>i1</InstanceId></Purchase></Purchases>';

test('each kind is redeemed by its own call [S7.redeem/title] [S7.redeem/titles]', async () => {
  const { api, asked } = environment([
    xml(purchasesXml),
    xml(purchasesXml),
    xml('<Redemption><Kind>credits</Kind></Redemption>'),
  ]);
  expect(await redeemCode(api, { code: 'A', kind: 'title', titleId: '1' })).toBe('i1');
  expect(await redeemCode(api, { code: 'B', kind: 'titles', titleId: '2' })).toBe('i1');
  expect(await redeemCode(api, { code: 'C', kind: 'credits', titleId: '' })).toBeNull();
  expect(asked).toMatchObject([
    { path: '/api/redeem/title', query: { code: 'A' } },
    { path: '/api/redeem/titles', query: { RedeemPin: 'B', titleId: '2' } },
    { path: '/api/redeem/benefit' },
  ]);
  expect(asked[2]?.body).toContain('<RedeemCode><Code>C</Code></RedeemCode>');
});

test('redeeming is never retried automatically, and an answer without a copy fails', async () => {
  const broken = environment([() => new Response('', { status: 503 })]);
  expect(await catchRejection(redeemCode(broken.api, { code: 'A', kind: 'title', titleId: '1' }))).toMatchObject({ status: 503 });
  expect(broken.asked).toHaveLength(1);
  const named = environment([xml('<Purchases><Purchase><TitleId>1</TitleId></Purchase></Purchases>')]);
  expect(await redeemCode(named.api, { code: 'A', kind: 'title', titleId: '1' })).toBe('1');
  const { api } = environment([xml('<Purchases/>')]);
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
])('an answer without a kind has the kind of its contents: %s', async (inside, kind) => {
  const { api } = environment([xml(`<Redemption>${inside}</Redemption>`)]);
  expect((await lookUpCode(api, 'A', signal)).kind).toBe(kind);
});

test('an unreadable title is left out of the offer', async () => {
  const { api } = environment([
    xml(`<Redemption><Titles>${firstTitle}<Title><TitleId>3</TitleId></Title></Titles></Redemption>`),
  ]);
  expect(await lookUpCode(api, 'A', signal)).toMatchObject({ kind: 'title', titles: [{ id: '1' }] });
});

test.each([
  ['used before', xml('<Error><StatusCode>409</StatusCode><Code>code_used</Code></Error>', 409)],
  ['used now', xml('<Redemption><Kind>credits</Kind></Redemption>')],
])('looking the code up redeems credits when the server has no other call: %s', async (_, applied) => {
  const { api, asked } = environment([new Response('no such call', { status: 404 }), applied]);
  expect(await redeemCode(api, { code: 'A', kind: 'credits', titleId: '' })).toBeNull();
  expect(asked.map(({ method, path }) => [method, path])).toEqual([
    ['POST', '/api/redeem/benefit'],
    ['GET', '/api/redeem/apply'],
  ]);
});

test('a subscription’s code is redeemed by the payment when the server has no other call', async () => {
  const { api, asked } = environment([new Response('no such call', { status: 404 })]);
  const problem = await catchRejection(redeemCode(api, { code: 'A', kind: 'subscription', titleId: '' }));
  expect(problem).toMatchObject({ kind: 'refused', code: 'code_at_payment' });
  expect(asked).toHaveLength(1);
});

test('a code that names its plan only by id gives that plan', async () => {
  const plan = '<Plan><PlanId>gold</PlanId><Name>Gold</Name><Amount>9</Amount></Plan>';
  const { api, asked } = environment([xml('<Redemption><PlanId>gold</PlanId></Redemption>'), xml(plan)]);
  expect(await lookUpCode(api, 'A', signal)).toMatchObject({ kind: 'subscription', plan: { id: 'gold', interval: null } });
  expect(asked[1]?.path).toBe('/api/plans/gold');
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['a bare success', () => json({ success: true })],
])('after a redemption answered with %s the customer’s copy is read', async (_, done) => {
  const { api, asked } = environment([done(), json({ hasTitle: true, instanceId: 'i7' })]);
  expect(await redeemCode(api, { code: 'A', kind: 'title', titleId: '1' })).toBe('i7');
  expect(asked.map(({ path }) => path)).toEqual(['/api/redeem/title', '/api/user/has-title']);
});

test('a bare list in JSON holds titles', async () => {
  const { api } = environment([json([{ TitleId: '1', Name: 'One', TitleType: 1 }])]);
  expect((await lookUpCode(api, 'A', signal)).titles.map(({ id }) => id)).toEqual(['1']);
});
