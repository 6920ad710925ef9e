import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { type ReactElement, useCallback, type ComponentProps, type FormEvent } from 'react';
import type { ActorRefFrom } from 'xstate';
import { categoryPath } from '../../../machines/model/paths.ts';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { pathWith } from '../../../machines/model/list.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { useApp } from '../../views/app-actor.ts';
import { categoryTrail } from '../../views/category-trail.ts';
import { Chip } from './FilterChips.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { typedIn } from '../../views/typed-in.ts';

type PriceFieldProps = Pick<ComponentProps<typeof TextField>, 'name' | 'label'> & { price: number | null };

/**
 * Shows another price as soon as the list has one; the field itself stays, and the focus with it. One for text: a field for
 * numbers drops the comma of those whose browser speaks another language than they do.
 */
const PriceField = ({ price, ...field }: PriceFieldProps): ReactElement => {
  const show = useCallback(
    (input: HTMLInputElement | null) => {
      if (input !== null) input.value = price === null ? '' : String(price);
    },
    [price],
  );
  return <TextField {...field} ref={show} inputMode="decimal" autoComplete="off" maxLength={32} />;
};

/** What a title may cost, at least and at most; either may be left open. */
const PriceRange = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { t } = useLingui();
  const { priceFrom, priceTo } = useSelector(actor, ({ context }) => context.query);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    actor.send({ type: 'price.submitted', from: typedIn(form, 'pricefrom'), to: typedIn(form, 'priceto') });
  };
  return (
    <chakra.form
      aria-label={t`Price`}
      data-event="price.submitted"
      onSubmit={submit}
      display="flex"
      flexWrap="wrap"
      alignItems="flex-end"
      gap={3}
      css={{ '& input': { width: '8rem' } }}
    >
      <PriceField name="pricefrom" label={<Trans>Minimum price</Trans>} price={priceFrom} />
      <PriceField name="priceto" label={<Trans>Maximum price</Trans>} price={priceTo} />
      <Button type="submit" look="outline">
        <Trans>Apply</Trans>
      </Button>
    </chakra.form>
  );
};

type Actor = ActorRefFrom<typeof catalogueMachine>;

const Panel = chakra('details', {
  base: {
    '& > summary': { width: 'fit-content', py: 2, fontSize: 'sm', fontWeight: 600, color: 'accentInk', cursor: 'pointer' },
    '& > div': { display: 'grid', gap: 5, pt: 3 },
  },
});

/** The categories below the one that is shown, or the uppermost; the search, the prices and the order stay. */
const Categories = ({ actor }: { actor: Actor }): ReactElement | null => {
  const { t } = useLingui();
  const tree = useApp((context) => context.categories);
  const { type, of } = useSelector(actor, ({ context }) => context.query);
  const path = useSelector(actor, ({ context }) => pathWith(context.route, {}));
  const categoryId = useSelector(actor, ({ context }) => context.page?.categoryId ?? null);
  if (of.kind === 'catalog' || of.kind === 'titleset') return null;
  const below = categoryId === null ? tree : (categoryTrail(tree, categoryId).at(-1)?.children ?? []);
  if (below.length === 0) return null;
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
  return (
    <chakra.nav aria-label={t`Filter by category`} display="flex" flexWrap="wrap" gap={2}>
      {below.map((category) => (
        <Chip key={category.id} href={categoryPath(category, type) + query} look="plain">
          {category.name}
        </Chip>
      ))}
    </chakra.nav>
  );
};

/** Nothing to pay: on, and off again. */
const FreeOnly = ({ actor }: { actor: Actor }): ReactElement => {
  const route = useSelector(actor, ({ context }) => context.route);
  const { free } = useSelector(actor, ({ context }) => context.query);
  return (
    <div>
      <Chip
        href={pathWith(route, { free: free ? '' : 'true', pricefrom: '', priceto: '' })}
        look="plain"
        aria-current={free ? 'true' : undefined}
      >
        <Trans>Free titles only</Trans>
      </Chip>
    </div>
  );
};

/** Ways to narrow the list, out of the way until they are wanted. */
export const Filters = ({ actor }: { actor: Actor }): ReactElement => {
  const { showsPrices } = useBrand();
  return (
    <Panel>
      <summary>
        <Trans>Filters</Trans>
      </summary>
      <div>
        <Categories actor={actor} />
        {showsPrices ? (
          <>
            <PriceRange actor={actor} />
            <FreeOnly actor={actor} />
          </>
        ) : null}
      </div>
    </Panel>
  );
};
