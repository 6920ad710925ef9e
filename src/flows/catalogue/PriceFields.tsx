import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { type ReactElement, useCallback, useRef, type ComponentProps } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { listFields } from '../../../machines/model/catalogue/list-form.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';

type PriceFieldProps = Pick<ComponentProps<typeof TextField>, 'name' | 'label'> & { price: number | null };

/**
 * Shows another price as soon as the list has one; the field itself stays, and the focus with it. One for text: a field for
 * numbers drops the comma of those whose browser speaks another language than they do.
 */
const PriceField = ({ price, ...field }: PriceFieldProps): ReactElement => {
  const text = price === null ? '' : String(price);
  const shown = useRef(text);
  const show = useCallback(
    (input: HTMLInputElement | null) => {
      // What somebody typed before the program came stays.
      if (input === null || shown.current === text) return;
      input.value = text;
      shown.current = text;
    },
    [text],
  );
  return <TextField {...field} ref={show} defaultValue={text} inputMode="decimal" autoComplete="off" maxLength={32} />;
};

/** The lowest and the highest price of a title; either may be left open. */
export const PriceFields = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { priceFrom, priceTo } = useSelector(actor, ({ context }) => context.query);
  return (
    <>
      <PriceField name="pricefrom" label={<Trans>Price from</Trans>} price={priceFrom} />
      <PriceField name="priceto" label={<Trans>Price to</Trans>} price={priceTo} />
      <Button type="submit" {...listFields.typedPrices} look="outline" size="sm" gridColumn="1 / -1">
        <Trans>Apply</Trans>
      </Button>
    </>
  );
};
