import * as v from 'valibot';
import type { Device } from '../../../machines/model/account/device.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { toIsoDate } from '../wire/date.ts';
import { toFetchProblem, throwProblem } from '../wire/problem.ts';
import { createItemParser } from '../wire/item-parser.ts';
import { createXmlSerializer } from '../wire/xml-body.ts';
import { getChildren, getFlag, getText } from '../wire/xml-node.ts';

const DeviceId = v.pipe(v.string(), v.nonEmpty());

/**
 * The account's devices: this one, then the others in the server's order (the contract's: newest
 * first). Where a server does not report the sign-in state, its devices count as signed in.
 * @param thisId the id of this browser, kept in its storage
 */
export const fetchDevices = async (api: Api, thisId: string, signal: AbortSignal): Promise<Device[]> => {
  const call = 'user/devices';
  const root = await readXmlResponse(api, call, api.client.GET('/user/devices', api.readOptions(signal)), 'devices');
  const parser = createItemParser(api, call, 'devices', DeviceId);
  const devices = getChildren(root, 'Device').flatMap((node) => {
    const lastSeenAt = toIsoDate(getText(node, 'LastSeenAt') ?? getText(node, 'RegisteredAt'));
    const signedOutField = getFlag(node, 'SignedIn') === false ? { isSignedOut: true as const } : {};
    const name = getText(node, 'Name') ?? '';
    return parser
      .parse(getText(node, 'DeviceId') ?? getText(node, 'Id'))
      .map((id) => ({ id, name, lastSeenAt, isThis: id === thisId, ...signedOutField }));
  });
  parser.end();
  return devices.toSorted((a, b) => Number(b.isThis) - Number(a.isThis));
};

/**
 * Signs a device out and removes it. Idempotent: a device that is already gone is no error.
 * @throws Problem `refused sign_in_again`
 */
export const removeDevice = async (api: Api, deviceId: string, signal: AbortSignal): Promise<object> => {
  const responsePromise = api.client.POST('/user/devices/deregister', {
    body: { DeviceId: deviceId },
    bodySerializer: createXmlSerializer('DeregisterDevice'),
    ...api.changeOptions(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  await readXmlResponse(api, 'user/devices/deregister', responsePromise, 'result').catch((error: unknown) => {
    const problem = toFetchProblem(error);
    if (problem.kind !== 'refused' || problem.code !== 'not_found') throwProblem(problem);
  });
  return {};
};
