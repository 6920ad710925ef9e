import type { CartEntry } from '../../../machines/model/cart.ts';
import { element, fields } from '../../../server/xml/write.ts';
import { titleElement, xml } from '../../e2e/tours/wires.ts';

/** A cart as the server gives it. */
export const cartWire = (entries: readonly CartEntry[]) =>
  xml(
    element('Cart', [
      fields({ Count: entries.length }),
      element(
        'Titles',
        entries.flatMap(({ title }) => (title === null ? [] : [titleElement(title)])),
      ),
      element(
        'Lines',
        entries.map(({ titleId, name, savedAt, isOwned }) =>
          element('Line', [fields({ TitleId: titleId, Name: name, AddedAt: savedAt, Owned: isOwned })]),
        ),
      ),
    ]),
  );

/** Whether the server's own cart has titles where these are some, and none where these are none. */
export const saysSame = (entries: readonly CartEntry[], body: string): boolean => entries.length > 0 === body.includes('<Line>');
