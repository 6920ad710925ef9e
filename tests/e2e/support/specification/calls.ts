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
  createCategoriesAnswer,
  getInstanceId,
  isbn,
  isInCategory,
  createTitlesPage,
  renderPlanXml,
  createRedemptionAnswer,
  reducePrice,
  twoTitlesXml,
  toSession,
  toStatus,
  renderTitleXml,
  createTitlesAnswer,
} from './documents.ts';
import type { Customer, State, Transaction } from './state.ts';
import {
  emptyAnswer,
  renderElement,
  readCredentials,
  readField,
  toJsonAnswer,
  notFound,
  createRefusal,
  unauthorized,
  toXmlAnswer,
  type WireAnswer,
  type WireRequest,
} from './wire.ts';

type CallHandler = (request: WireRequest) => WireAnswer;
type CustomerCall = (customer: Customer, request: WireRequest) => WireAnswer;

/**
 * Creates the handlers of every call of the specification, and of no other. The paths are those of
 * the contract; the answers are serialised as by another vendor. `visitorCalls` need no session,
 * `customerCalls` need one.
 */
export const createCalls = (state: State, properties: Record<string, string>, base: string) => {
  const startSession = (customer: Customer): WireAnswer =>
    toJsonAnswer({
      ...(state.givesTokens ? { idToken: state.startSession(customer) } : {}),
      emailId: customer.email,
      userId: Number(customer.id),
    });

  const visitorCalls: Record<string, CallHandler> = {
    'store/properties': () => {
      const { AppStoreUrls = '', ...texts } = properties;
      const shop = renderElement('Shop', { ShelfId: 77, ShelfName: 'Fernweh', ...texts });
      return toXmlAnswer(shop.replace('</Shop>', `${renderElement('AppStoreUrls', AppStoreUrls)}</Shop>`));
    },
    categories: ({ query }) => {
      const parentId = query.get('categoryid');
      return createCategoriesAnswer(parentId === null ? rootCategories : (subCategories[Number(parentId)] ?? []));
    },
    titles: ({ query, segments: [id, subpath] }) => {
      if (id === 'isbn') return subpath === isbn ? toXmlAnswer(renderTitleXml(works[3] as CatalogueWork)) : notFound;
      if (id === 'from') return createTitlesPage(works, Number(subpath), base);
      if (subpath === 'related') return createTitlesAnswer(works.filter((each) => String(each.id) !== id).slice(0, 2));
      const work = findWork(id);
      if (id !== undefined) return work === undefined ? notFound : toXmlAnswer(renderTitleXml(work));
      for (const list of ['catalogid', 'titlesetid'] as const) {
        const listId = query.get(list);
        const listedIds = lists[list][listId ?? ''];
        if (listId !== null)
          return listedIds === undefined ? notFound : createTitlesAnswer(works.filter((each) => listedIds.includes(each.id)));
      }
      const type = Number(query.get('titletype') ?? 0);
      const category = query.get('categoryid');
      const tag = query.get('tagid')?.toLowerCase() ?? null;
      const search = query.get('search')?.toLowerCase() ?? '';
      const matches = works.filter(
        (each) =>
          (type === 0 || each.type === type) &&
          (category === null || isInCategory(each, category)) &&
          (tag === null ||
            rootCategories.some(({ id, tagId }) => tagId?.toLowerCase() === tag && isInCategory(each, String(id)))) &&
          each.name.toLowerCase().includes(search),
      );
      return matches.length === works.length ? createTitlesPage(matches, 0, base) : createTitlesAnswer(matches);
    },
    theme: () => toJsonAnswer({ topBar: '#7a1f3d' }),
    pages: ({ segments: [page] }) => (page === 'help' ? toJsonAnswer({ title: 'Help', html: '<p>Write to us.</p>' }) : notFound),
    'campaign/titles': ({ query }) =>
      query.get('campaignId') === 'spring'
        ? toXmlAnswer(renderElement('Campaign', renderElement('Titles', twoTitlesXml)))
        : notFound,
    plans: ({ segments: [id] }) => {
      if (id === undefined) return toXmlAnswer(renderElement('ArrayOfPlan', plans.map(renderPlanXml).join('')));
      const plan = plans.find((each) => each.id === id);
      return plan === undefined ? notFound : toXmlAnswer(renderPlanXml(plan));
    },
    'user/signin': (request) => {
      const [email, password] = readCredentials(request);
      const customer = state.findByEmail(email);
      return customer?.password === password ? startSession(customer) : unauthorized;
    },
    'user/signup': (request) => {
      const [email, password] = readCredentials(request);
      if (state.findByEmail(email) !== undefined) return createRefusal('There is such an account.');
      return startSession(state.signUp(email, password, readField(request.body, 'Name')));
    },
    'user/signup/fields': () => toXmlAnswer('<CustomFields/>'),
    'user/validate': ({ query }) => {
      const customer = state.sessions.get(query.get('accesstoken') ?? '');
      return toJsonAnswer(
        customer === undefined ? { Valid: 'False' } : { Valid: 'True', UserId: customer.id, EmailId: customer.email },
      );
    },
    'user/forgotpassword': ({ query }) => {
      const customer = state.findByEmail(query.get('email') ?? '');
      if (customer !== undefined) state.resetTokens.set(String(state.resetTokens.size + 1), customer);
      return emptyAnswer;
    },
    'user/token': ({ segments: [token] }) => (state.resetTokens.has(token ?? '') ? emptyAnswer : notFound),
    'user/resetpassword': ({ body }) => {
      const customer = state.resetTokens.get(readField(body, 'Token'));
      if (customer === undefined) return notFound;
      customer.password = readField(body, 'Password');
      return emptyAnswer;
    },
  };

  const openTransaction = (customer: Customer, work: CatalogueWork, { query }: WireRequest): Transaction =>
    state.openTransaction(customer, {
      works: [String(work.id)],
      planId: null,
      price: reducePrice(parsePrice(work), query.get('code') ?? query.get('RedeemPin') ?? ''),
      giftInfo: query.get('giftInfo'),
    });
  const findTransaction = (customer: Customer, id: string | null): Transaction | undefined => {
    const transaction = state.transactions.get(id ?? '');
    return transaction?.customer === customer ? transaction : undefined;
  };
  const authorizeByCard = (transaction: Transaction, cardId: string | null): Transaction => {
    if (cardId !== null && transaction.customer.cards.some(({ id }) => id === cardId)) transaction.status = 'authorized';
    return transaction;
  };
  const createCartAnswer = (customer: Customer): WireAnswer =>
    toXmlAnswer(
      renderElement(
        'Cart',
        renderElement(
          'Titles',
          customer.cart
            .map((id) => {
              const campaign = customer.campaigns.get(id);
              return renderTitleXml(findWork(id) as CatalogueWork, campaign === undefined ? {} : { CampaignId: campaign });
            })
            .join(''),
        ),
      ),
    );
  const createCardsAnswer = ({ cards }: Customer): WireAnswer =>
    toXmlAnswer(
      renderElement(
        'ArrayOfCard',
        cards
          .map(({ id, last4, isDefault }) =>
            renderElement('Card', { CardId: id, LastFour: last4, Default: isDefault, ...billingAddress }),
          )
          .join(''),
      ),
    );
  const redeemCode = (customer: Customer, code: string, id: string): WireAnswer => {
    if (customer.usedCodes.has(code)) return createRefusal('The code has been used.');
    customer.usedCodes.add(code);
    state.grantWorks(customer, [id]);
    return toXmlAnswer(
      renderElement('ArrayOfPurchase', renderElement('Purchase', { TitleId: id, InstanceId: getInstanceId(id) })),
    );
  };

  const customerCalls: Record<string, CustomerCall> = {
    'subscription/status': ({ planId }) => toJsonAnswer({ subscribed: planId !== null, data: planId }),
    'credits/balance': ({ credits }) =>
      toJsonAnswer({ CreditBalance: credits, CreditCurrency: properties['CreditCurrency'] ?? '', EnableBuyWithCredits: true }),
    'user/fields/values': ({ name }) => toXmlAnswer(renderElement('CustomFields', { Name: name })),
    'user/details': (customer, { body }) => {
      customer.name = readField(body, 'Name') || customer.name;
      return emptyAnswer;
    },
    'user/purchases': ({ owned }) =>
      toJsonAnswer({
        purchases: owned.map((id) => ({
          instanceId: getInstanceId(id),
          title: { ...findWork(id), titleId: id, titleType: findWork(id)?.type },
        })),
      }),
    'user/subscription/cancel': (customer) => {
      customer.planId = null;
      return emptyAnswer;
    },
    'user/delete': (customer) => {
      state.deleteCustomer(customer);
      return emptyAnswer;
    },
    'user/devices': ({ devices }) =>
      toXmlAnswer(
        renderElement(
          'Devices',
          devices.map((id) => renderElement('Device', { DeviceId: id, Name: 'Another browser' })).join(''),
        ),
      ),
    'user/devices/deregister': (customer, { body }) => {
      customer.devices = customer.devices.filter((id) => id !== readField(body, 'DeviceId'));
      return emptyAnswer;
    },
    'customer/portal/session': () => toJsonAnswer({ url: '/portal' }),
    'razorpay/verify': () => toJsonAnswer({ verified: true }),
    'user/has-title': ({ owned }, { query }) => {
      const transaction = state.transactions.get(query.get('transId') ?? '');
      const id = query.get('titleid') ?? transaction?.works[0] ?? '';
      return toJsonAnswer({ HasTitle: owned.includes(id), InstanceId: owned.includes(id) ? getInstanceId(id) : null });
    },
    'card/all': createCardsAnswer,
    'card/add': (customer, { body }) => {
      const number = readField(body, 'CardNumber');
      customer.cards.push({
        id: `card-${customer.cards.length + 1}`,
        last4: number.slice(-4),
        isDefault: customer.cards.length === 0,
      });
      return createCardsAnswer(customer);
    },
    'card/delete': (customer, { body }) => {
      customer.cards = customer.cards.filter(({ id }) => id !== readField(body, 'CardId'));
      return createCardsAnswer(customer);
    },
    'card/change': (customer, { body }) => {
      for (const card of customer.cards) card.isDefault = card.id === readField(body, 'CardId');
      return createCardsAnswer(customer);
    },
    'payment/session': (customer, request) => {
      const work = findWork(request.query.get('titleId'));
      return work === undefined ? notFound : toJsonAnswer(toSession(openTransaction(customer, work, request)));
    },
    'purchase/free': (customer, { query }) => {
      const id = query.get('titleId') ?? '';
      state.grantWorks(customer, [id]);
      return toJsonAnswer({ transId: `F${id}`, titleId: id, instanceId: getInstanceId(id) });
    },
    'purchase/title': (customer, request) => {
      const work = findWork(request.query.get('titleId'));
      if (work === undefined) return notFound;
      return toJsonAnswer(toStatus(authorizeByCard(openTransaction(customer, work, request), request.query.get('cardId'))));
    },
    'purchase/title/confirm': (customer, { query }) => {
      const transaction = findTransaction(customer, query.get('transactonId'));
      if (transaction === undefined) return notFound;
      if (transaction.status === 'pending') return createRefusal('Nothing has been paid.');
      state.confirm(transaction);
      const [id = ''] = transaction.works;
      return toJsonAnswer({ transId: transaction.id, titleId: id, instanceId: getInstanceId(id) });
    },
    'purchase/info': (customer, { query }) => {
      const transaction = findTransaction(customer, query.get('transId'));
      const [work] = (transaction?.works ?? []).map(findWork);
      if (transaction === undefined || work === undefined) return notFound;
      const titles = transaction.works.map((id) => ({
        titleId: id,
        name: findWork(id)?.name,
        amount: parsePrice(findWork(id) as CatalogueWork),
      }));
      const titlesField = titles.length > 1 ? { titles } : {};
      return toJsonAnswer({
        transId: transaction.id,
        titleId: work.id,
        name: work.name,
        amount: transaction.price,
        currency: 'EUR',
        ...titlesField,
      });
    },
    'purchase/credits': (customer, { body }) => {
      const { titleId, credits } = JSON.parse(body) as { titleId: string; credits: number };
      if (customer.credits < credits) return createRefusal('There are too few credits.');
      customer.credits -= credits;
      const transaction = state.openTransaction(customer, { works: [titleId], planId: null, price: 0, giftInfo: null });
      state.confirm(transaction);
      return toJsonAnswer({ transId: transaction.id, titleId, instanceId: getInstanceId(titleId) });
    },
    tax: (_, { query }) =>
      toJsonAnswer({
        taxPrice: Math.round(Number(query.get('price')) * 20) / 100,
        taxRates: [{ name: 'VAT', percent: 20 }],
        // The tax is that of the only country that the store sells to.
        country: properties['PurchaseCountries'],
      }),
    'redeem/apply': (customer, { query }) => {
      const code = query.get('code') ?? '';
      if (customer.usedCodes.has(code)) return createRefusal('The code has been used.');
      return createRedemptionAnswer(code, findWork(query.get('titleid')));
    },
    'redeem/title': (customer, { query }) => redeemCode(customer, query.get('code') ?? '', '4'),
    'redeem/titles': (customer, { query }) => redeemCode(customer, query.get('RedeemPin') ?? '', query.get('titleId') ?? '4'),
    'cart/add': (customer, { query }) => {
      const id = query.get('titleId') ?? '';
      if (!customer.cart.includes(id)) customer.cart.push(id);
      customer.campaigns.set(id, query.get('campaignId') ?? undefined);
      return createCartAnswer(customer);
    },
    'cart/remove': (customer, { query }) => {
      customer.cart = customer.cart.filter((id) => id !== query.get('titleId'));
      return createCartAnswer(customer);
    },
    'cart/removeCampaign': (customer, { query }) => {
      customer.cart = customer.cart.filter((id) => customer.campaigns.get(id) !== query.get('campaignId'));
      return createCartAnswer(customer);
    },
    'cart/titles': createCartAnswer,
    'checkout/cart/session': (customer, { query }) => {
      const price = customer.cart.reduce((sum, id) => sum + parsePrice(findWork(id) as CatalogueWork), 0);
      const purchase = { works: [...customer.cart], planId: null, price, giftInfo: query.get('giftInfo') };
      return toJsonAnswer(toSession(authorizeByCard(state.openTransaction(customer, purchase), query.get('cardId'))));
    },
    'checkout/session/status': (customer, { query }) => {
      const transaction = findTransaction(customer, query.get('transId'));
      return transaction === undefined ? notFound : toJsonAnswer(toStatus(transaction));
    },
    'checkout/subscription/session': (customer, { query }) => {
      const planId = query.get('planId');
      const price = codes[query.get('code') ?? ''] === 'month' ? 0 : Number(plans.find(({ id }) => id === planId)?.price);
      return toJsonAnswer(toSession(state.openTransaction(customer, { works: [], planId, price, giftInfo: null })));
    },
    'subscription/purchase': (customer, { query }) => {
      const purchase = { works: [], planId: query.get('planId'), price: 0, giftInfo: null };
      const transaction = authorizeByCard(state.openTransaction(customer, purchase), query.get('cardId'));
      return toJsonAnswer({ subscriptionId: transaction.id, intentId: transaction.intentId });
    },
    'subscription/confirm': (customer, { query }) => {
      const transaction = findTransaction(customer, query.get('subscriptionId'));
      if (transaction === undefined || transaction.status === 'pending') return notFound;
      state.confirm(transaction);
      return toJsonAnswer({ status: 'active' });
    },
    'viewer/components': (_, { query }) => {
      const id = (query.get('instanceid') ?? '').replace('copy-', '');
      return findWork(id) === undefined ? notFound : toJsonAnswer({ items: [{ id: 'whole', name: findWork(id)?.name }] });
    },
    'viewer/progress': (customer, { query, body, request }) => {
      const key = `${query.get('titleid')} ${query.get('contextkey')}`;
      if (request.method === 'POST') customer.positions.set(key, body);
      return request.method === 'POST' ? emptyAnswer : toJsonAnswer(JSON.parse(customer.positions.get(key) ?? '{}'));
    },
    'coral/token': () => toJsonAnswer({ token: 'none' }),
  };
  return { visitorCalls, customerCalls };
};
