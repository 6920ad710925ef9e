import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { type ReactElement, useCallback, useRef, type ComponentProps, type FormEvent } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { pathWith } from '../../../machines/model/list.ts';
import { Button } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { TextField } from '../../ui/TextField.tsx';
import { typedIn } from '../../views/typed-in.ts';

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

const withoutPrices = { pricefrom: '', priceto: '', free: '' };

/** What a title may cost, at least and at most; either may be left open. Before the program comes, the form asks for such a page by itself. */
export const PriceRange = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { t } = useLingui();
  const { priceFrom, priceTo } = useSelector(actor, ({ context }) => context.query);
  const [path, others] = useSelector(actor, ({ context }) => pathWith(context.route, withoutPrices)).split('?', 2);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    actor.send({ type: 'price.submitted', from: typedIn(form, 'pricefrom'), to: typedIn(form, 'priceto') });
  };
  return (
    <chakra.form
      aria-label={t`Price`}
      action={path}
      data-event="price.submitted"
      onSubmit={submit}
      display="grid"
      gridTemplateColumns="1fr 1fr"
      alignItems="end"
      gap={2}
      mt={2}
      css={{ '& input': { px: 2, minHeight: 10 } }}
    >
      {[...new URLSearchParams(others)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <PriceField name="pricefrom" label={<Trans>Price from</Trans>} price={priceFrom} />
      <PriceField name="priceto" label={<Trans>Price to</Trans>} price={priceTo} />
      <Button type="submit" look="outline" size="sm" gridColumn="1 / -1">
        <Trans>Apply</Trans>
      </Button>
    </chakra.form>
  );
};
