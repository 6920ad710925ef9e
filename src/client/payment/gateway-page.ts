import * as v from 'valibot';
import { webAddress } from '../wire/address.ts';
import type { Api } from '../wire/client.ts';

/** An answer that says where the payment gateway's page is. */
export const gatewayPage = (api: Api) =>
  v.object({
    url: v.pipe(
      v.string(),
      v.transform((text) => webAddress(text, api.base)),
      v.nonEmpty('no http(s) address'),
    ),
  });
