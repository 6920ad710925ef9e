import { memo, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { useApp } from '../views/app-actor.ts';
import { CategoryTree } from './CategoryTree.tsx';

/** The column of a desktop's left side; narrower windows have the categories in the menu. */
export const Sidebar = memo((): ReactElement | null => {
  const isEmpty = useApp(({ categories }) => categories.length === 0);
  if (isEmpty) return null;
  return (
    <chakra.aside
      display={{ base: 'none', xl: 'block' }}
      flex="none"
      width="15rem"
      ml={6}
      mt={8}
      bg="sidebar"
      color="sidebarText"
      borderRadius="lg"
      css={{ '& :focus-visible': { outlineColor: 'sidebarText' } }}
      alignSelf="flex-start"
      position="sticky"
      top="8rem"
      maxHeight="calc(100dvh - 9rem)"
      overflowY="auto"
      px={3}
      py={6}
    >
      <CategoryTree />
    </chakra.aside>
  );
});
