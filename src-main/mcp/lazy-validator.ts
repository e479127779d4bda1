import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator
} from '@modelcontextprotocol/sdk/validation'

/**
 * Compiles the check of a tool's results when the first of them comes, once for each schema. The SDK's client asks for
 * all of them at every listing, before each step of a turn, and compiling them then would hold the program up for
 * a fifth of a second.
 */
export class LazyValidator implements jsonSchemaValidator {
  private readonly compiler = new AjvJsonSchemaValidator()
  private readonly compiled = new Map<string, JsonSchemaValidator<unknown>>()

  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    return (input) => this.compile<T>(schema)(input)
  }

  private compile<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const key = JSON.stringify(schema)
    const known = this.compiled.get(key)
    if (known) return known as JsonSchemaValidator<T>
    const made = this.compiler.getValidator<T>(schema)
    this.compiled.set(key, made)
    return made
  }
}
