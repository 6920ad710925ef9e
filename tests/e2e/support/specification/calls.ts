import {
  codes,
  lists,
  plans,
  parsePrice,
  rootCategories,
  subCategories,
  findWork,
  works,
  type CatalogueWork,
} from './catalogue.ts';
import {
  billingAddress,
  categoriesXml,
  instanceIdOf,
  isbn,
  isInCategory,
  titlesPage,
  planXml,
  redemptionOf,
  reducedPrice,
  twoWorks,
  toSession,
  toStatus,
  titleXml,
  titlesXml,
} from './documents.ts';
import type { Customer, State, Transaction } from './state.ts';
import {
  emptyAnswer,
  element,
  readCredentials,
  readField,
  json,
  notFound,
  refuse,
  unauthorized,
  xml,
  type WireAnswer,
  type WireRequest,
} from './wire.ts';

type CallHandler = (asked: WireRequest) => WireAnswer;
type CustomerCall = (customer: Customer, asked: WireRequest) => WireAnswer;

/**
 * Every call of the specification, and no other; the paths are the contract's, the answers another
 * vendor's. A visitor's calls are in `open`, a customer's in `own`.
 */
export const createCalls = (state: State, properties: Record<string, string>, base: string) => {
  const sessionFor = (customer: Customer): WireAnswer =>
    json({
      ...(state.givesTokens ? { idToken: state.begin(customer) } : {}),
      emailId: customer.email,
      userId: Number(customer.id),
    });

  const open: Record<string, CallHandler> = {
    'store/properties': () => {
      const { AppStoreUrls = '', ...texts } = properties;
      const shop = element('Shop', { ShelfId: 77, ShelfName: 'Fernweh', ...texts });
      return xml(shop.replace('</Shop>', `${element('AppStoreUrls', AppStoreUrls)}</Shop>`));
    },
    categories: ({ query }) => {
      const of = query.get('categoryid');
      return categoriesXml(of === null ? rootCategories : (subCategories[Number(of)] ?? []));
    },
    titles: ({ query, rest: [id, more] }) => {
      if (id === 'isbn') return more === isbn ? xml(titleXml(works[3] as CatalogueWork)) : notFound;
      if (id === 'from') return titlesPage(works, Number(more), base);
      if (more === 'related') return titlesXml(works.filter((each) => String(each.id) !== id).slice(0, 2));
      const work = findWork(id);
      if (id !== undefined) return work === undefined ? notFound : xml(titleXml(work));
      for (const list of ['catalogid', 'titlesetid'] as const) {
        const listId = query.get(list);
        const listed = lists[list][listId ?? ''];
        if (listId !== null) return listed === undefined ? notFound : titlesXml(works.filter((each) => listed.includes(each.id)));
      }
      const type = Number(query.get('titletype') ?? 0);
      const category = query.get('categoryid');
      const tag = query.get('tagid')?.toLowerCase() ?? null;
      const search = query.get('search')?.toLowerCase() ?? '';
      const found = works.filter(
        (each) =>
          (type === 0 || each.type === type) &&
          (category === null || isInCategory(each, category)) &&
          (tag === null ||
            rootCategories.some(({ id, tagId }) => tagId?.toLowerCase() === tag && isInCategory(each, String(id)))) &&
          each.name.toLowerCase().includes(search),
      );
      return found.length === works.length ? titlesPage(found, 0, base) : titlesXml(found);
    },
    theme: () => json({ topBar: '#7a1f3d' }),
    pages: ({ rest: [page] }) => (page === 'help' ? json({ title: 'Help', html: '<p>Write to us.</p>' }) : notFound),
    'campaign/titles': ({ query }) =>
      query.get('campaignId') === 'spring' ? xml(element('Campaign', element('Titles', twoWorks))) : notFound,
    plans: ({ rest: [id] }) => {
      if (id === undefined) return xml(element('ArrayOfPlan', plans.map(planXml).join('')));
      const plan = plans.find((each) => each.id === id);
      return plan === undefined ? notFound : xml(planXml(plan));
    },
    'user/signin': (asked) => {
      const [email, password] = readCredentials(asked);
      const customer = state.byEmail(email);
      return customer?.password === password ? sessionFor(customer) : unauthorized;
    },
    'user/signup': (asked) => {
      const [email, password] = readCredentials(asked);
      if (state.byEmail(email) !== undefined) return refuse('There is such an account.');
      return sessionFor(state.signUp(email, password, readField(asked.body, 'Name')));
    },
    'user/signup/fields': () => xml('<CustomFields/>'),
    'user/validate': ({ query }) => {
      const customer = state.sessions.get(query.get('accesstoken') ?? '');
      return json(customer === undefined ? { Valid: 'False' } : { Valid: 'True', UserId: customer.id, EmailId: customer.email });
    },
    'user/forgotpassword': ({ query }) => {
      const customer = state.byEmail(query.get('email') ?? '');
      if (customer !== undefined) state.resets.set(String(state.resets.size + 1), customer);
      return emptyAnswer;
    },
    'user/token': ({ rest: [token] }) => (state.resets.has(token ?? '') ? emptyAnswer : notFound),
    'user/resetpassword': ({ body }) => {
      const customer = state.resets.get(readField(body, 'Token'));
      if (customer === undefined) return notFound;
      customer.password = readField(body, 'Password');
      return emptyAnswer;
    },
  };

  const buying = (customer: Customer, work: CatalogueWork, { query }: WireRequest): Transaction =>
    state.open(customer, {
      works: [String(work.id)],
      planId: null,
      price: reducedPrice(parsePrice(work), query.get('code') ?? query.get('RedeemPin') ?? ''),
      giftInfo: query.get('giftInfo'),
    });
  const byId = (customer: Customer, id: string | null): Transaction | undefined => {
    const found = state.transactions.get(id ?? '');
    return found?.customer === customer ? found : undefined;
  };
  const authorizedBy = (transaction: Transaction, cardId: string | null): Transaction => {
    if (cardId !== null && transaction.customer.cards.some(({ id }) => id === cardId)) transaction.status = 'authorized';
    return transaction;
  };
  const cartOf = (customer: Customer): WireAnswer =>
    xml(
      element(
        'Cart',
        element(
          'Titles',
          customer.cart
            .map((id) => {
              const campaign = customer.campaigns.get(id);
              return titleXml(findWork(id) as CatalogueWork, campaign === undefined ? {} : { CampaignId: campaign });
            })
            .join(''),
        ),
      ),
    );
  const cardsOf = ({ cards }: Customer): WireAnswer =>
    xml(
      element(
        'ArrayOfCard',
        cards
          .map(({ id, last4, isDefault }) =>
            element('Card', { CardId: id, LastFour: last4, Default: isDefault, ...billingAddress }),
          )
          .join(''),
      ),
    );
  const redeemed = (customer: Customer, code: string, id: string): WireAnswer => {
    if (customer.usedCodes.has(code)) return refuse('The code has been used.');
    customer.usedCodes.add(code);
    state.give(customer, [id]);
    return xml(element('ArrayOfPurchase', element('Purchase', { TitleId: id, InstanceId: instanceIdOf(id) })));
  };

  const own: Record<string, CustomerCall> = {
    'subscription/status': ({ planId }) => json({ subscribed: planId !== null, data: planId }),
    'credits/balance': ({ credits }) =>
      json({ CreditBalance: credits, CreditCurrency: properties['CreditCurrency'] ?? '', EnableBuyWithCredits: true }),
    'user/fields/values': ({ name }) => xml(element('CustomFields', { Name: name })),
    'user/details': (customer, { body }) => {
      customer.name = readField(body, 'Name') || customer.name;
      return emptyAnswer;
    },
    'user/purchases': ({ owned }) =>
      json({
        purchases: owned.map((id) => ({
          instanceId: instanceIdOf(id),
          title: { ...findWork(id), titleId: id, titleType: findWork(id)?.type },
        })),
      }),
    'user/subscription/cancel': (customer) => {
      customer.planId = null;
      return emptyAnswer;
    },
    'user/delete': (customer) => {
      state.end(customer);
      return emptyAnswer;
    },
    'user/devices': ({ devices }) =>
      xml(element('Devices', devices.map((id) => element('Device', { DeviceId: id, Name: 'Another browser' })).join(''))),
    'user/devices/deregister': (customer, { body }) => {
      customer.devices = customer.devices.filter((id) => id !== readField(body, 'DeviceId'));
      return emptyAnswer;
    },
    'customer/portal/session': () => json({ url: '/portal' }),
    'razorpay/verify': () => json({ verified: true }),
    'user/has-title': ({ owned }, { query }) => {
      const transaction = state.transactions.get(query.get('transId') ?? '');
      const id = query.get('titleid') ?? transaction?.works[0] ?? '';
      return json({ HasTitle: owned.includes(id), InstanceId: owned.includes(id) ? instanceIdOf(id) : null });
    },
    'card/all': cardsOf,
    'card/add': (customer, { body }) => {
      const number = readField(body, 'CardNumber');
      customer.cards.push({
        id: `card-${customer.cards.length + 1}`,
        last4: number.slice(-4),
        isDefault: customer.cards.length === 0,
      });
      return cardsOf(customer);
    },
    'card/delete': (customer, { body }) => {
      customer.cards = customer.cards.filter(({ id }) => id !== readField(body, 'CardId'));
      return cardsOf(customer);
    },
    'card/change': (customer, { body }) => {
      for (const card of customer.cards) card.isDefault = card.id === readField(body, 'CardId');
      return cardsOf(customer);
    },
    'payment/session': (customer, asked) => {
      const work = findWork(asked.query.get('titleId'));
      return work === undefined ? notFound : json(toSession(buying(customer, work, asked)));
    },
    'purchase/free': (customer, { query }) => {
      const id = query.get('titleId') ?? '';
      state.give(customer, [id]);
      return json({ transId: `F${id}`, titleId: id, instanceId: instanceIdOf(id) });
    },
    'purchase/title': (customer, asked) => {
      const work = findWork(asked.query.get('titleId'));
      if (work === undefined) return notFound;
      return json(toStatus(authorizedBy(buying(customer, work, asked), asked.query.get('cardId'))));
    },
    'purchase/title/confirm': (customer, { query }) => {
      const found = byId(customer, query.get('transactonId'));
      if (found === undefined) return notFound;
      if (found.status === 'pending') return refuse('Nothing has been paid.');
      state.confirm(found);
      const [id = ''] = found.works;
      return json({ transId: found.id, titleId: id, instanceId: instanceIdOf(id) });
    },
    'purchase/info': (customer, { query }) => {
      const found = byId(customer, query.get('transId'));
      const [work] = (found?.works ?? []).map(findWork);
      if (found === undefined || work === undefined) return notFound;
      const titles = found.works.map((id) => ({
        titleId: id,
        name: findWork(id)?.name,
        amount: parsePrice(findWork(id) as CatalogueWork),
      }));
      const several = titles.length > 1 ? { titles } : {};
      return json({ transId: found.id, titleId: work.id, name: work.name, amount: found.price, currency: 'EUR', ...several });
    },
    'purchase/credits': (customer, { body }) => {
      const { titleId, credits } = JSON.parse(body) as { titleId: string; credits: number };
      if (customer.credits < credits) return refuse('There are too few credits.');
      customer.credits -= credits;
      const bought = state.open(customer, { works: [titleId], planId: null, price: 0, giftInfo: null });
      state.confirm(bought);
      return json({ transId: bought.id, titleId, instanceId: instanceIdOf(titleId) });
    },
    tax: (_, { query }) =>
      json({
        taxPrice: Math.round(Number(query.get('price')) * 20) / 100,
        taxRates: [{ name: 'VAT', percent: 20 }],
        // Of a store that sells to one country, the tax is that country's.
        country: properties['PurchaseCountries'],
      }),
    'redeem/apply': (customer, { query }) => {
      const code = query.get('code') ?? '';
      if (customer.usedCodes.has(code)) return refuse('The code has been used.');
      return redemptionOf(code, findWork(query.get('titleid')));
    },
    'redeem/title': (customer, { query }) => redeemed(customer, query.get('code') ?? '', '4'),
    'redeem/titles': (customer, { query }) => redeemed(customer, query.get('RedeemPin') ?? '', query.get('titleId') ?? '4'),
    'cart/add': (customer, { query }) => {
      const id = query.get('titleId') ?? '';
      if (!customer.cart.includes(id)) customer.cart.push(id);
      customer.campaigns.set(id, query.get('campaignId') ?? undefined);
      return cartOf(customer);
    },
    'cart/remove': (customer, { query }) => {
      customer.cart = customer.cart.filter((id) => id !== query.get('titleId'));
      return cartOf(customer);
    },
    'cart/removeCampaign': (customer, { query }) => {
      customer.cart = customer.cart.filter((id) => customer.campaigns.get(id) !== query.get('campaignId'));
      return cartOf(customer);
    },
    'cart/titles': cartOf,
    'checkout/cart/session': (customer, { query }) => {
      const price = customer.cart.reduce((sum, id) => sum + parsePrice(findWork(id) as CatalogueWork), 0);
      const of = { works: [...customer.cart], planId: null, price, giftInfo: query.get('giftInfo') };
      return json(toSession(authorizedBy(state.open(customer, of), query.get('cardId'))));
    },
    'checkout/session/status': (customer, { query }) => {
      const found = byId(customer, query.get('transId'));
      return found === undefined ? notFound : json(toStatus(found));
    },
    'checkout/subscription/session': (customer, { query }) => {
      const planId = query.get('planId');
      const price = codes[query.get('code') ?? ''] === 'month' ? 0 : Number(plans.find(({ id }) => id === planId)?.price);
      return json(toSession(state.open(customer, { works: [], planId, price, giftInfo: null })));
    },
    'subscription/purchase': (customer, { query }) => {
      const of = { works: [], planId: query.get('planId'), price: 0, giftInfo: null };
      const begun = authorizedBy(state.open(customer, of), query.get('cardId'));
      return json({ subscriptionId: begun.id, intentId: begun.intentId });
    },
    'subscription/confirm': (customer, { query }) => {
      const found = byId(customer, query.get('subscriptionId'));
      if (found === undefined || found.status === 'pending') return notFound;
      state.confirm(found);
      return json({ status: 'active' });
    },
    'viewer/components': (_, { query }) => {
      const id = (query.get('instanceid') ?? '').replace('copy-', '');
      return findWork(id) === undefined ? notFound : json({ items: [{ id: 'whole', name: findWork(id)?.name }] });
    },
    'viewer/progress': (customer, { query, body, request }) => {
      const key = `${query.get('titleid')} ${query.get('contextkey')}`;
      if (request.method === 'POST') customer.places.set(key, body);
      return request.method === 'POST' ? emptyAnswer : json(JSON.parse(customer.places.get(key) ?? '{}'));
    },
    'coral/token': () => json({ token: 'none' }),
  };
  return { open, own };
};
