import * as v from 'valibot';
import { toWebAddress } from '../wire/address.ts';
import type { Api } from '../wire/client.ts';

/** An answer with the address of the payment gateway's page. */
export const GatewayPage = (api: Api) =>
  v.object({
    url: v.pipe(
      v.string(),
      v.transform((text) => toWebAddress(text, api.base)),
      v.nonEmpty('expected an http(s) address'),
    ),
  });
