/** Spanish texts of the assumptions of the exchange, by their identifiers. */
import type { AssumptionId } from './assumptions.ts'

interface AssumptionText {
  /** In a few words, for a list. */
  title: string
  assumed: string
}

export const ASSUMPTIONS_ES: Readonly<Record<AssumptionId, AssumptionText>> = {
  wsdl: {
    title: 'El servicio web',
    assumed:
      'Que el servicio es como lo muestran las diapositivas. No están publicados su WSDL, sus direcciones ni su catálogo de errores.',
  },
  envelope: {
    title: 'El sobre de los mensajes',
    assumed:
      'SOAP 1.2 en varias partes, con papeles que no cambian al responder. Los ejemplos se contradicen en la versión y en los nombres.',
  },
  validation: {
    title: 'Las validaciones',
    assumed:
      'Que bastan las reglas del perfil que conocemos. No hay esquema de extensión ni Schematron publicados: el servicio real puede rechazar más.',
  },
  query_answer: {
    title: 'La respuesta a una consulta',
    assumed: 'Que devuelve los estados de cada factura en la misma forma en que se comunicaron.',
  },
  test_environment: {
    title: 'El entorno de pruebas',
    assumed: 'El entorno anunciado aún no existe: nada de esto se ha probado contra él.',
  },
  qualifiers: {
    title: 'Las marcas REGI, QR y RECT',
    assumed:
      'Que van en los nombres e identificadores de sus elementos. El anexo no da ruta para sus calificadores.',
  },
  withholding: {
    title: 'La retención del IRPF',
    assumed:
      'Que es un total de retenciones con la clave 01 y una línea RETE negativa que reduce el importe a pagar. Ni el signo, ni la clave, ni su efecto están descritos.',
  },
  disbursements: {
    title: 'Los suplidos',
    assumed: 'Que van en líneas de cobro aparte: fuera del total con impuestos y dentro del importe a pagar.',
  },
  surcharge: {
    title: 'El recargo de equivalencia',
    assumed:
      'Que es un cargo exento con su motivo. Se dice que la edición de 2026 le da un sitio, pero no lo hemos visto.',
  },
  margin: {
    title: 'Las ventas con margen',
    assumed:
      'Que llevan la categoría F, o D las de agencias de viajes, sin cuota. Cuándo corresponde la N no se ha visto.',
  },
  regimes: {
    title: 'Los regímenes sin clave',
    assumed: 'Que las claves que faltan en las listas se escriben como 01, régimen general.',
  },
  notes: {
    title: 'Las notas y menciones',
    assumed:
      'Que cada una es una anotación. Un lector de la Orden las escribe como notas, y se anunciaron campos nuevos para las menciones.',
  },
  buyer_reference: {
    title: 'La referencia del comprador',
    assumed: 'No se escribe: la norma y el lector de la Orden le dan dos sitios distintos.',
  },
  buyer_number: {
    title: 'El NIF del cliente',
    assumed: 'Que va en su esquema fiscal LOC, como dice el anexo; la norma lo pone en la entidad legal.',
  },
  bg24_code: {
    title: 'El código de los documentos de apoyo',
    assumed: 'Que QR y RECT no llevan el código 916: el anexo pone ahí R1 a R4, I y S; la norma pide el 916.',
  },
  rectified_amount: {
    title: 'El importe rectificado',
    assumed:
      'Que una rectificativa por sustitución no dice el importe que rectifica. Se habla de una tercera referencia, con un código que no se ha visto.',
  },
  replaced_amount: {
    title: 'Lo ya pedido por las facturas sustituidas',
    assumed: 'Que es un importe ya pagado, para que el importe a pagar sea el de los libros.',
  },
  self_billed_code: {
    title: 'La rectificativa expedida por el cliente',
    assumed: 'Que es el tipo 471: está en la lista del anexo, y se dice que la norma lo retira.',
  },
  third_party: {
    title: 'Las facturas expedidas por un tercero',
    assumed: 'No tienen documento: los campos de ese tercero no se han visto.',
  },
  excise: {
    title: 'Los impuestos especiales',
    assumed: 'Ni ellos ni el impuesto de matriculación tienen aquí un campo propio.',
  },
  vatex_es: {
    title: 'Los códigos españoles de exención',
    assumed:
      'Las exenciones sin código europeo dicen su motivo en palabras: los códigos propios se pidieron y no se han concedido.',
  },
  message_header: {
    title: 'La cabecera de los mensajes de estado',
    assumed:
      'Que llevan identificador, día, remitente por su NIF y la Agencia como destinataria. El anexo II solo describe el cuerpo.',
  },
  withdraw_path: {
    title: 'La baja de una factura',
    assumed: 'Que tiene la forma de un estado. El anexo I imprime una ruta que el esquema UBL 2.5 no admite.',
  },
  rejection_reason: {
    title: 'El motivo de un rechazo',
    assumed: 'Que es el código de motivo de su estado, 01 o 02.',
  },
  holiday_list: {
    title: 'Los festivos del plazo',
    assumed:
      'Que no cuentan los nueve festivos nacionales ni el día del hecho; el aviso va por la lectura más temprana.',
  },
  rejection_term: {
    title: 'El plazo de un rechazo',
    assumed: 'Que es el de los pagos: para los rechazos no hay ninguno escrito.',
  },
  retention: {
    title: 'La conservación en la plataforma',
    assumed: 'No se ha visto cuántos años guarda las facturas: Sello guarda sus originales.',
  },
  foral: {
    title: 'País Vasco y Navarra',
    assumed:
      'Se rechazan las empresas de esos territorios; a sus clientes se les trata como a los demás. Los convenios no están publicados.',
  },
  platform_directory: {
    title: 'Las plataformas privadas',
    assumed:
      'Que cada cliente tiene la plataforma pública salvo que se acuerde otra: no hay directorio de las privadas.',
  },
}
