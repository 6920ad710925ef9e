import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { wishesMachine } from '../../machines/app/wish-list.ts';
import type { TitleSummary } from '../../machines/model/catalogue/title.ts';
import { useHasWishList } from './app-actor.ts';
import { useFrameChild } from './owned.ts';

export type WishButtonProps = { title: Pick<TitleSummary, 'id' | 'name'> };

type WishesProps = WishButtonProps & { wishes: ActorRefFrom<typeof wishesMachine> };

type Late = ComponentType<WishesProps>;

// oxlint-disable-next-line pure-machines/state-of-module -- a part of the program, the same in every world
let late: Late | null = null;

/** Keeps the button once it has come with the frame. */
export const keepWishButton = (button: Late): void => {
  late = button;
};

const OfWishList = ({ wishes, title }: WishesProps): ReactElement | null => {
  const Button = late;
  return useHasWishList() && Button ? <Button wishes={wishes} title={title} /> : null;
};

/** A heart that saves a title for later, or removes it; nothing until the frame has come: its place is kept free. */
export const WishButton = ({ title }: WishButtonProps): ReactElement | null => {
  const wishes = useFrameChild('wishes');
  return wishes === undefined ? null : <OfWishList wishes={wishes} title={title} />;
};
