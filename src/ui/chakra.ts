import { Box as UntypedBox } from '@chakra-ui/react/box';
import { chakra as untypedChakra, defineRecipe as defineUntypedRecipe } from '@chakra-ui/react/styled-system';
import type {
  CssProperties,
  JsxFactoryOptions,
  JsxHtmlProps,
  JsxStyleProps,
  PolymorphicProps,
} from '@chakra-ui/react/styled-system';
import type { ComponentProps, ComponentPropsWithoutRef, ElementType, FunctionComponent, JSX } from 'react';
import type { BaseCondition, BaseUtility } from './base.ts';
import type { Breakpoint } from './theme.ts';

type State = `_${BaseCondition}`;
type Condition = State | Breakpoint;
type Selector = `${string}&` | `&${string}` | `@${string}`;
type CustomProperty = `--${string}`;
type ChakraProperty = Exclude<keyof JsxStyleProps, Selector | CustomProperty | 'css'>;
type StyleProperty = Extract<ChakraProperty, keyof CssProperties | BaseUtility>;
type StyleValue = string | number | true | undefined;

/**
 * The style properties that `base.ts` and CSS support. Chakra's other properties would have no
 * effect, so they are type errors.
 */
export type Style = { [Name in StyleProperty]?: StyleValue | { [When in Condition]?: StyleValue } } & {
  [Name in Exclude<ChakraProperty, StyleProperty | Condition>]?: never;
} & { [Name in CustomProperty]?: StyleValue } & { [Name in Condition | Selector]?: Style };

type Variants = Record<PropertyKey, Record<PropertyKey, Style>>;

type Choice<Name> = Name extends 'true' | 'false' ? boolean : Name;
type Choices<Own extends Variants> = PropertyKey extends keyof Own
  ? object
  : { [Name in keyof Own]?: Choice<keyof Own[Name]> | { [When in Breakpoint]?: Choice<keyof Own[Name]> } | undefined };

type Recipe<Own extends Variants> = { base?: Style; variants?: Own; defaultVariants?: Choices<Own> };

type Props<Element extends ElementType, Own> = JsxHtmlProps<
  ComponentPropsWithoutRef<Element>,
  Omit<Style, keyof Own> & Own & { css?: Style | undefined } & PolymorphicProps
>;

type Component<Element extends ElementType, Own = object> = FunctionComponent<
  Props<Element, Own> & Pick<ComponentProps<Element>, 'ref'>
>;

type Factory = {
  <Element extends ElementType>(element: Element): Component<Element>;
  <Element extends ElementType, Own extends Variants>(
    element: Element,
    recipe: Recipe<Own>,
    options?: JsxFactoryOptions<Partial<ComponentPropsWithoutRef<Element> & Choices<Own>>>,
  ): Component<Element, Choices<Own>>;
} & { [Tag in keyof JSX.IntrinsicElements]: Component<Tag> };

/** Chakra's own factory with narrower types. */
export const chakra = untypedChakra as unknown as Factory;
export const Box = UntypedBox as unknown as Component<'div'>;
export const defineRecipe = defineUntypedRecipe as unknown as <Own extends Variants>(recipe: Recipe<Own>) => Recipe<Own>;
