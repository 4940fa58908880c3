// How frameworks write the envelope around the data of an answer.
import type { Json } from '../../../openapi/json.ts';
import type { ApiProperty, ApiValue } from './api-model.ts';
import type { SchemaWriter } from './write-schema.ts';

const common = ['code', 'message', 'trace_id'];

/** A class for what all answers have, and beside it what this one has: `allOf: [ApiResponse, { data }]`. */
export function wrapInGeneric(body: ApiValue, writer: SchemaWriter, model: string): Json {
  const all = body.properties ?? [];
  const own = all.filter(({ name }) => !common.includes(name));
  const envelope: ApiValue = { type: 'object', properties: all.filter((one) => !own.includes(one)), model };
  const properties = own.map(({ name, value }) => [name, writer.write(value, 'response', name)] as const);
  const required = own.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    allOf: [
      writer.write(envelope, 'response'),
      {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(required.length > 0 && { required }),
      },
    ],
  };
}

/** A class for each kind of data: "ResultSiteVO". `nameOf` makes its name of that of the data, which is undefined for data without members. */
export function wrapInClass(
  body: ApiValue,
  writer: SchemaWriter,
  nameOf: (data: ApiValue | undefined) => string,
): Json {
  const data = (body.properties ?? []).find(({ name }) => name === 'data');
  const isEmpty = (data?.value.properties ?? []).length === 0;
  const properties = (body.properties ?? []).map(
    (property): ApiProperty =>
      property === data && isEmpty ? { ...property, value: { type: 'object' } } : property,
  );
  const model = nameOf(isEmpty ? undefined : data?.value);
  return writer.write({ type: 'object', properties, model }, 'response');
}
