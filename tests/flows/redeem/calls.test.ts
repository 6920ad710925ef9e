import { expect, test } from 'vitest';
import { applyCode, redeemCode } from '../../../src/flows/redeem/calls.ts';
import { json, rejection, world, xml } from '../../support/client/world.ts';

const signal = new AbortController().signal;

test('what a code gives is read, whatever it is [S7.redeem/apply]', async () => {
  const { api, asked } = world([
    xml(`<Redemption><Kind>titles</Kind><Redeemed>false</Redeemed><Titles>
      <Title><TitleId>1</TitleId><Name>One</Name><TitleType>1</TitleType><Medium>epub</Medium></Title>
      <Title><TitleId>2</TitleId><Name>Two</Name><TitleType>2</TitleType><Medium>audio</Medium></Title>
      </Titles><Owned><TitleId>2</TitleId></Owned></Redemption>`),
    xml(`<Redemption><Kind>Subscription</Kind><TrialDays>30</TrialDays><Plan><PlanId>monthly</PlanId><Name>M</Name><Amount>9.00</Amount>
      <Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol><Interval>month</Interval></Plan></Redemption>`),
    xml('<Redemption Kind="credits" Credits="5" Redeemed="true" InstanceId="i1"/>'),
  ]);
  const choice = await applyCode(api, 'A B', signal);
  expect(choice).toMatchObject({ kind: 'titles', owned: ['2'], redeemed: false, plan: null, trialDays: null, instanceId: null });
  expect(choice.titles.map(({ id, name }) => [id, name])).toEqual([
    ['1', 'One'],
    ['2', 'Two'],
  ]);
  expect(await applyCode(api, 'T', signal)).toMatchObject({
    kind: 'subscription',
    trialDays: 30,
    plan: { id: 'monthly' },
    titles: [],
  });
  expect(await applyCode(api, 'C', signal)).toMatchObject({ kind: 'credits', credits: 5, redeemed: true, instanceId: 'i1' });
  expect(asked.map(({ path, query }) => [path, query['code']])).toEqual([
    ['/api/redeem/apply', 'A B'],
    ['/api/redeem/apply', 'T'],
    ['/api/redeem/apply', 'C'],
  ]);
});

test('of a gift, who gives it is set apart', async () => {
  const { api } = world([xml('<Redemption><Kind>title</Kind><Giver>Ann</Giver><Message>Enjoy!</Message></Redemption>')]);
  expect((await applyCode(api, 'G', signal)).pii).toEqual({ giver: 'Ann', message: 'Enjoy!' });
});

test.each([
  ['<Redemption/>', 'kind'],
  ['<Redemption><Kind>gold</Kind></Redemption>', 'kind'],
  ['<Redemption><Kind>title</Kind><Titles><Title><TitleId>1</TitleId></Title></Titles></Redemption>', 'titles.0.name'],
  ['<Redemption><Titles/></Redemption>', 'kind'],
  ['<Redemption><Kind>subscription</Kind><Plan><Name>M</Name></Plan></Redemption>', 'plan.id'],
])('%s is no such answer', async (body, field) => {
  const { api } = world([xml(body)]);
  expect(await rejection(applyCode(api, 'A', signal))).toMatchObject({ kind: 'malformed', field });
});

test('a refusal keeps its word', async () => {
  const { api } = world([
    xml('<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>code_used</Code></Error>', 409),
    xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status></Error>', 404),
  ]);
  expect(await rejection(applyCode(api, 'A', signal))).toMatchObject({ kind: 'refused', code: 'code_used' });
  expect(await rejection(applyCode(api, 'A', signal))).toMatchObject({ kind: 'refused', code: 'not_found' });
});

const given = '<Purchases><Purchase><InstanceId>i1</InstanceId></Purchase></Purchases>';

test('each kind is used by its own call [S7.redeem/title] [S7.redeem/titles]', async () => {
  const { api, asked } = world([xml(given), xml(given), xml('<Redemption><Kind>credits</Kind></Redemption>')]);
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

test('a use of a code is never sent again by itself, and an answer without a copy fails', async () => {
  const broken = world([() => new Response('', { status: 503 })]);
  expect(await rejection(redeemCode(broken.api, { code: 'A', kind: 'title', titleId: '1' }))).toMatchObject({ status: 503 });
  expect(broken.asked).toHaveLength(1);
  const named = world([xml('<Purchases><Purchase><TitleId>1</TitleId></Purchase></Purchases>')]);
  expect(await redeemCode(named.api, { code: 'A', kind: 'title', titleId: '1' })).toBe('1');
  const { api } = world([xml('<Purchases/>')]);
  expect(await rejection(redeemCode(api, { code: 'A', kind: 'title', titleId: '1' }))).toMatchObject({ kind: 'malformed' });
});

const one = '<Title><TitleId>1</TitleId><Name>One</Name><TitleType>1</TitleType></Title>';
const two = '<Title><TitleId>2</TitleId><Name>Two</Name><TitleType>2</TitleType></Title>';

test.each([
  [`<Titles>${one}</Titles>`, 'title'],
  [`<Titles>${one}${two}</Titles>`, 'titles'],
  ['<Credits>5</Credits>', 'credits'],
  ['<PercentOff>20</PercentOff>', 'discount'],
  ['<PlanId>monthly</PlanId>', 'subscription'],
  [`<Kind>ebook</Kind><Titles>${one}</Titles>`, 'title'],
])('an answer without a kind is of the kind of what it gives: %s', async (inside, kind) => {
  const { api } = world([xml(`<Redemption>${inside}</Redemption>`)]);
  expect((await applyCode(api, 'A', signal)).kind).toBe(kind);
});

test('a title that cannot be read is left out of what a code gives', async () => {
  const { api } = world([xml(`<Redemption><Titles>${one}<Title><TitleId>3</TitleId></Title></Titles></Redemption>`)]);
  expect(await applyCode(api, 'A', signal)).toMatchObject({ kind: 'title', titles: [{ id: '1' }] });
});

test.each([
  ['used before', xml('<Error><StatusCode>409</StatusCode><Code>code_used</Code></Error>', 409)],
  ['used now', xml('<Redemption><Kind>credits</Kind></Redemption>')],
])('credits are given by looking the code up where the server has no other call: %s', async (_, applied) => {
  const { api, asked } = world([new Response('no such call', { status: 404 }), applied]);
  expect(await redeemCode(api, { code: 'A', kind: 'credits', titleId: '' })).toBeNull();
  expect(asked.map(({ method, path }) => [method, path])).toEqual([
    ['POST', '/api/redeem/benefit'],
    ['GET', '/api/redeem/apply'],
  ]);
});

test('a subscription’s code is used by the payment where the server has no other call', async () => {
  const { api, asked } = world([new Response('no such call', { status: 404 })]);
  const problem = await rejection(redeemCode(api, { code: 'A', kind: 'subscription', titleId: '' }));
  expect(problem).toMatchObject({ kind: 'refused', code: 'code_at_payment' });
  expect(asked).toHaveLength(1);
});

test('a code that names its plan by an id alone gives that plan', async () => {
  const plan = '<Plan><PlanId>gold</PlanId><Name>Gold</Name><Amount>9</Amount></Plan>';
  const { api, asked } = world([xml('<Redemption><PlanId>gold</PlanId></Redemption>'), xml(plan)]);
  expect(await applyCode(api, 'A', signal)).toMatchObject({ kind: 'subscription', plan: { id: 'gold', interval: null } });
  expect(asked[1]?.path).toBe('/api/plans/gold');
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['no more than that it is done', () => json({ success: true })],
])('a code that is used and answered with %s gives the copy that the customer has then', async (_, done) => {
  const { api, asked } = world([done(), json({ hasTitle: true, instanceId: 'i7' })]);
  expect(await redeemCode(api, { code: 'A', kind: 'title', titleId: '1' })).toBe('i7');
  expect(asked.map(({ path }) => path)).toEqual(['/api/redeem/title', '/api/user/has-title']);
});

test('a bare list in JSON holds titles', async () => {
  const { api } = world([json([{ TitleId: '1', Name: 'One', TitleType: 1 }])]);
  expect((await applyCode(api, 'A', signal)).titles.map(({ id }) => id)).toEqual(['1']);
});
