import * as v from 'valibot';
import type { Device } from '../../../machines/model/account/device.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { isoDate } from '../wire/date.ts';
import { problemOfFailure, raise } from '../wire/problem.ts';
import { sieve } from '../wire/sieve.ts';
import { xmlBody } from '../wire/xml-body.ts';
import { childrenOf, flagIn, textIn } from '../wire/xml-node.ts';

const DeviceId = v.pipe(v.string(), v.nonEmpty());

/**
 * The devices that the account knows: this one, then the others, the latest first. Those of a
 * server that does not say where the customer is signed in count as signed in.
 * @param thisId the id that this browser keeps of itself
 */
export const userDevices = async (api: Api, thisId: string, signal: AbortSignal): Promise<Device[]> => {
  const call = 'user/devices';
  const root = await xmlAnswer(api, call, api.client.GET('/user/devices', api.reading(signal)), 'devices');
  const readable = sieve(api, call, 'devices', DeviceId);
  const devices = childrenOf(root, 'Device').flatMap((node) => {
    const lastSeenAt = isoDate(textIn(node, 'LastSeenAt') ?? textIn(node, 'RegisteredAt'));
    const signedOut = flagIn(node, 'SignedIn') === false ? { isSignedOut: true as const } : {};
    const name = textIn(node, 'Name') ?? '';
    return readable
      .take(textIn(node, 'DeviceId') ?? textIn(node, 'Id'))
      .map((id) => ({ id, name, lastSeenAt, isThis: id === thisId, ...signedOut }));
  });
  readable.end();
  return devices.toSorted((a, b) => Number(b.isThis) - Number(a.isThis));
};

/**
 * Signs a device out and makes it unknown. One that is gone already is what was wanted.
 * @throws Problem `refused sign_in_again`
 */
export const deregisterDevice = async (api: Api, deviceId: string, signal: AbortSignal): Promise<object> => {
  const sending = api.client.POST('/user/devices/deregister', {
    body: { DeviceId: deviceId },
    bodySerializer: xmlBody('DeregisterDevice'),
    ...api.changing(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  await xmlAnswer(api, 'user/devices/deregister', sending, 'result').catch((error: unknown) => {
    const problem = problemOfFailure(error);
    if (problem.kind !== 'refused' || problem.code !== 'not_found') raise(problem);
  });
  return {};
};
