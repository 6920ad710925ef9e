import { Trans, useLingui } from '@lingui/react/macro';
import { memo, type ReactElement } from 'react';
import type { categoriesMachine } from '../../../machines/app/categories.ts';
import { categoryPath } from '../../../machines/model/paths.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { useApp } from '../../views/app-actor.ts';
import { useCategories, type CategoriesActor } from './use-categories.ts';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';

const BranchLink = chakra(TextLink, {
  base: {
    display: 'block',
    px: 3,
    // Touch needs a larger target than a pointer.
    py: { base: 2.5, xl: 1.5 },
    borderRadius: 'md',
    fontSize: 'sm',
    '&[aria-current=page]': { borderRadius: 0, boxShadow: 'inset 3px 0', fontWeight: 700 },
  },
  variants: { top: { true: { fontSize: 'md', fontWeight: 600 } } },
});

type ItemProps = { category: Category; isHere: boolean; top: boolean };

/** Memoised: rendered again only if the customer enters or leaves this category. */
const Item = memo(({ category, isHere, top }: ItemProps): ReactElement => (
  <BranchLink href={categoryPath(category)} look="bar" top={top} aria-current={isHere ? 'page' : undefined}>
    {category.name}
  </BranchLink>
));

const Branch = ({ categories, path, top }: { categories: Category[]; path: string; top: boolean }): ReactElement => (
  <chakra.ul listStyleType="none" display="grid" gap={top ? 3 : 0} pl={top ? 0 : 3}>
    {categories.map((category) => (
      <li key={category.id}>
        <Item category={category} isHere={path === categoryPath(category)} top={top} />
        {category.children.length === 0 ? null : <Branch categories={category.children} path={path} top={false} />}
      </li>
    ))}
  </chakra.ul>
);

const Tree = (): ReactElement => {
  const { t } = useLingui();
  const categories = useApp((context) => context.categories);
  const currentPath = useApp(({ route }) => route?.path.split('?')[0] ?? '');
  return (
    <nav aria-label={t`Categories`}>
      <Branch categories={categories} path={currentPath} top />
    </nav>
  );
};

const Fetching = (): ReactElement => (
  <p role="status">
    <Trans>Loading categories…</Trans>
  </p>
);

const Failed = ({ actor }: { actor: CategoriesActor }): ReactElement => (
  <>
    <chakra.p mb={3}>
      <Trans>We couldn’t load the categories.</Trans>
    </chakra.p>
    <EventButton actor={actor} event={{ type: 'retry.pressed' }} look="outline" css={{ color: 'inherit', bg: 'none' }}>
      <Trans>Try again</Trans>
    </EventButton>
  </>
);

const screens: Screens<typeof categoriesMachine> = { loading: Fetching, growing: Tree, listed: Tree, failed: Failed };

/** The store's categories as a tree of links; nothing in a store without any. */
export const CategoryTree = (): ReactElement | null => {
  const { actor, state } = useCategories();
  if (actor === undefined || state === 'none') return null;
  return (
    <FlowScreen flow="categories" actor={actor} screens={screens}>
      {(screen) => <chakra.div fontSize="sm">{screen}</chakra.div>}
    </FlowScreen>
  );
};
