import { providerWays } from '../../providers/ways.ts';
import { originOf } from '../../stores/origin.ts';
import { keepBegun, takeBegun } from '../../providers/begun.ts';
import { joinProvider as join, removeProvider as remove } from '../../providers/join.ts';
import { findProvider, PHONE_ISSUER } from '../../providers/provider.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { limitCaller } from '../calls/limits.ts';
import { phoneOf, takeCode } from './phone.ts';
import { returnUrl, signInOver } from './providers.ts';
import { notFound } from '../../kernel/errors.ts';
import { requireFresh } from '../calls/require-fresh.ts';

const settingOf = ({ services, store, customer, request, spoken }: CustomerCall) => ({
  storeId: store.id,
  userId: customer.id,
  tokenHash: customer.tokenHash,
  email: customer.email,
  address: request.ip,
  language: spoken.language,
  origin: originOf(store, request, services.config),
});

async function listed({ services, store, customer }: CustomerCall) {
  const ways = await providerWays(services.db, { storeId: store.id, userId: customer.id });
  return {
    providers: ways.map(({ provider: { id, kind, name }, identities }) => ({
      providerId: id,
      kind,
      name,
      joined: identities.length > 0,
    })),
  };
}

/** By whom the store's customers may sign in, and who of them opens this customer's account. */
export async function ownProviders(call: CustomerCall<'ownProviders'>): Answer<'ownProviders'> {
  return listed(call);
}

/** Begins to join a provider to the account: where the browser has to go, unless it is a telephone, to which a code is sent next. */
export async function startJoining(call: CustomerCall<'startJoining'>): Answer<'startJoining'> {
  const { services, store, customer, body } = call;
  await limitCaller(call, 'provider');
  const provider = await findProvider(services.db, store.id, body.providerId);
  if (!provider) throw notFound('provider');
  await requireFresh(call);
  if (provider.kind === 'phone') return {};
  const { url, begun } = await services.providers.begin(provider, returnUrl(call));
  await keepBegun(services.db, store.id, provider.id, begun, { userId: customer.id, tokenHash: customer.tokenHash });
  return { url, state: begun.state };
}

/** Joins whom the provider has sent back. Only the session that has begun it can: nobody is given somebody else’s way in. */
export async function joinProvider(call: CustomerCall<'joinProvider'>): Answer<'joinProvider'> {
  const { services, store, customer, body } = call;
  await limitCaller(call, 'provider');
  const joiner = { userId: customer.id, tokenHash: customer.tokenHash };
  const taken = await takeBegun(services.db, store.id, body.state, joiner);
  const provider = taken && (await findProvider(services.db, store.id, taken.providerId));
  if (!taken || !provider) throw signInOver();
  const person = await services.providers.finish(provider, taken.begun, { code: body.code, issuer: body.issuer });
  await join(services.db, settingOf(call), person);
  return listed(call);
}

/** Joins a telephone by the code that was sent to it. */
export async function joinPhone(call: CustomerCall<'joinPhone'>): Answer<'joinPhone'> {
  const { services, body } = call;
  await requireFresh(call);
  const { number: phone } = await phoneOf(call, body.phone);
  await takeCode(call, { phone, code: body.code, requestId: body.requestId });
  const person = { issuer: PHONE_ISSUER, subject: phone, email: '', emailVerified: false, name: '' };
  await join(services.db, settingOf(call), person);
  return listed(call);
}

/**
 * Parts a provider from the account, unless nothing else opens it. The customer must have signed in
 * a moment ago.
 */
export async function removeProvider(call: CustomerCall<'removeProvider'>): Answer<'removeProvider'> {
  await requireFresh(call);
  await remove(call.services.db, settingOf(call), call.body.providerId);
  return listed(call);
}
