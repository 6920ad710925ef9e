import * as v from 'valibot';
import { webAddress } from '../wire/address.ts';
import type { Api } from '../wire/client.ts';

/** An answer with the address of the payment gateway's page. */
export const gatewayPage = (api: Api) =>
  v.object({
    url: v.pipe(
      v.string(),
      v.transform((text) => webAddress(text, api.base)),
      v.nonEmpty('no http(s) address'),
    ),
  });
